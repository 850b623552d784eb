import { readAttributes } from "../../lib/aws/table.ts";
import { parseJson } from "../../lib/base/json.ts";
import { readCallCheck } from "../../lib/handle/phone-calls/call-tracker.ts";
import { laneNameOf } from "../../lib/queue/lanes/lane-record.ts";
import type { Ticket } from "../../lib/queue/lanes/ticket.ts";
import type { QueuedMessage } from "../cloud/sqs-endpoint.ts";
import { listPending } from "../platform/store/webhooks.ts";
import type { LocalStack } from "../stack/local-stack.ts";
import type { ShownTimer } from "./api/stack.ts";
import { queueNames, queueTable, ticketIn } from "./queues/look-at-queue.ts";

export interface Timer extends ShownTimer {
  /** Runs it now; returns false if it no longer exists. */
  fire(): unknown;
}

export function listTimers(localStack: LocalStack): Timer[] {
  const all = [
    deliveries(localStack),
    queueMessages(localStack),
    flows(localStack),
    tries(localStack),
    schedules(localStack),
  ];
  return all.flat().toSorted((one, other) => one.dueMs - other.dueMs);
}

function deliveries({ platform }: LocalStack): Timer[] {
  const nowMs = platform.clock.now();
  return listPending(platform.services.db).flatMap((delivery): Timer[] => {
    const { id, appId, webhookId, trigger, attemptCount, dueMs = 0 } = delivery;
    if (dueMs <= nowMs) return [];
    return [
      {
        id: `delivery ${id}`,
        kind: "delivery",
        dueMs,
        what: `${trigger} is delivered${attemptCount === 0 ? "" : " again"}`,
        where: `delivery ${id} of ${appId} to ${webhookId}, attempts so far: ${attemptCount}`,
        fire: () => platform.services.outbox.hasten(id),
      },
    ];
  });
}

function queueMessages(localStack: LocalStack): Timer[] {
  const { resources, stores } = localStack.cloud;
  return Object.entries(resources).flatMap(([logicalId, { type, name }]) => {
    if (type !== "queue") return [];
    const { queue } = stores.queues.get(name);
    const page = queueNames.find((one) => queueTable[one].logicalId === logicalId);
    return queue.peek().flatMap((message): Timer[] => {
      if (message.state === "visible") return [];
      const { messageId, visibleAtMs } = message;
      const ticket = logicalId === "ParkedLanesQueue" ? ticketIn(message.body) : undefined;
      const lane = ticket && laneOf(localStack, ticket);
      const shown = {
        id: `message ${logicalId} ${messageId}`,
        dueMs: Math.max(visibleAtMs, lane?.wakeAtMs ?? 0),
        ...describe(logicalId, message, ticket),
        href: page && `#/queues/${page}`,
      };
      const fire = () => {
        lane?.wake();
        return queue.hasten(messageId);
      };
      return [{ ...shown, fire }];
    });
  });
}

function describe(
  logicalId: string,
  { body, state, receiveCount }: Pick<QueuedMessage, "body" | "state" | "receiveCount">,
  ticket: Ticket | undefined,
): Pick<Timer, "kind" | "what" | "where"> {
  const isTaken = state === "inFlight";
  const where = `${logicalId}, ${isTaken ? `received ${receiveCount} ×` : "delayed"}`;
  if (ticket !== undefined) {
    const { appId, lane } = ticket;
    const what = `The parked lane ${laneNameOf(lane.group)} of ${appId} continues`;
    const ofTrigger = lane.trigger && `${logicalId}, the lane of the trigger ${lane.trigger}`;
    return { kind: "lane", what, where: ofTrigger ?? where };
  }
  const check = readCallCheck(parseJson(body));
  const what =
    check === undefined
      ? `A message of ${logicalId} is delivered${isTaken ? " again" : ""}`
      : `The summary of the call ${check.sessionId} of ${check.appId}`;
  return { kind: "queue", what, where };
}

/** The ticket's consumer checks the lane's time. */
function laneOf({ cloud, platform }: LocalStack, { lane }: Ticket) {
  const { table } = cloud.stores.tables.get(cloud.resources.LanesTable?.name ?? "");
  const key = { lane: { S: lane.id }, item: { S: "state" } };
  const item = table.get(key);
  if (item === undefined) return undefined;
  return {
    wakeAtMs: Number(readAttributes(item).wakeAt) || 0,
    wake: () => table.commit(key, { ...item, wakeAt: { N: String(platform.clock.now()) } }),
  };
}

const kinds = {
  wait: "the wait ends",
  retry: "the step is retried",
  timeout: "the callback times out",
  invocation: "the flow is invoked again after a failure",
} as const;

function flows({ cloud: { durable } }: LocalStack): Timer[] {
  return durable.waiting().map(({ arn, executionName, functionName, operation, kind, atMs: dueMs }) => ({
    id: `flow ${arn} ${operation?.Id ?? ""}`,
    kind: "flow",
    dueMs,
    what: `${operation?.Name ?? executionName}: ${kinds[kind]}`,
    where: `${functionName}, execution ${executionName}`,
    href: `#/flows/${encodeURIComponent(executionName)}`,
    fire: () => durable.hasten(arn, operation?.Id),
  }));
}

function tries({ cloud }: LocalStack): Timer[] {
  return cloud.waitingTries().map(({ id, functionKey, failedTries, dueMs, fire }) => ({
    id: `try ${id}`,
    kind: "function",
    what: `${functionKey} is invoked again`,
    dueMs,
    where: `asynchronous invocation, failed ${failedTries === 1 ? "once" : "twice"}`,
    fire,
  }));
}

function schedules({ cloud: { scheduled } }: LocalStack): Timer[] {
  return scheduled.list().flatMap(({ id, functionKey, expression, description, dueMs }): Timer[] => {
    if (dueMs === undefined) return [];
    const what = description ?? `${functionKey} is invoked`;
    const where = `${functionKey}, ${expression}${scheduled.isOn ? "" : ", off"}`;
    return [{ id: `schedule ${id}`, kind: "schedule", what, where, dueMs, fire: () => scheduled.fire(id) }];
  });
}
