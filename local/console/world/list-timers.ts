import { parseJson } from "../../../lib/base/json.ts";
import { readCallCheck } from "../../../lib/handle/phone-calls/call-check.ts";
import { laneNameOf } from "../../../lib/queue/lanes/lane-record.ts";
import { readTicket, type Ticket } from "../../../lib/queue/lanes/ticket.ts";
import { listPending } from "../../platform/store/webhooks.ts";
import type { World } from "../../stack/world.ts";
import type { ShownTimer } from "../api/world-timers.ts";
import { readOwnItem } from "./own-item.ts";

/** `fire` returns false if it no longer exists. */
export interface Timer extends ShownTimer {
  fire(): boolean;
}

export function listTimers(world: World): Timer[] {
  return [
    ...deliveries(world),
    ...queueMessages(world),
    ...flows(world),
    ...tries(world),
    ...schedules(world),
  ].toSorted((one, other) => one.dueMs - other.dueMs);
}

function deliveries({ platform }: World): Timer[] {
  const nowMs = platform.clock.now();
  return listPending(platform.services.db)
    .filter(({ dueMs }) => dueMs !== undefined && dueMs > nowMs)
    .map(({ id, appId, webhookId, trigger, attemptCount, dueMs }) => ({
      id: `delivery ${id}`,
      kind: "delivery",
      what: attemptCount === 0 ? `${trigger} is delivered` : `${trigger} is delivered again`,
      where: `delivery ${id} of ${appId} to ${webhookId}, ${attemptCount === 1 ? "1 attempt" : `${attemptCount} attempts`} so far`,
      dueMs: dueMs ?? nowMs,
      fire: () => platform.services.outbox.hasten(id),
    }));
}

function queueMessages({ cloud, platform }: World): Timer[] {
  return Object.entries(cloud.resources).flatMap(([logicalId, { type, name }]) => {
    if (type !== "queue") return [];
    const { queue } = cloud.stores.queues.get(name);
    return queue.peek().flatMap((message): Timer[] => {
      if (message.state === "visible") return [];
      const { messageId, body, state, receiveCount } = message;
      const ticket = ticketIn(logicalId, body);
      const parked = ticket && wakeTime(cloud, ticket);
      const hidden =
        state === "inFlight"
          ? `received ${receiveCount === 1 ? "once" : `${receiveCount} times`}`
          : "delayed";
      return [
        {
          id: `message ${logicalId} ${messageId}`,
          kind: ticket ? "lane" : "message",
          what: ticket
            ? `The parked lane ${laneNameOf(ticket.lane.group)} of ${ticket.appId} continues`
            : describe(logicalId, body, state),
          where:
            ticket?.lane.trigger === undefined
              ? `${logicalId}, ${hidden}`
              : `${logicalId}, the lane of the trigger ${ticket.lane.trigger}`,
          dueMs: Math.max(message.visibleAtMs, parked ?? 0),
          href: queuePages[logicalId],
          fire() {
            if (ticket) wakeNow(cloud, ticket, platform.clock.now());
            return queue.hasten(messageId);
          },
        },
      ];
    });
  });
}

/** In the Queues view. */
const queuePages: Readonly<Record<string, string>> = {
  EventsQueue: "#/queues/events",
  CallsQueue: "#/queues/calls",
  ParkedLanesQueue: "#/queues/parked-lanes",
  DeadLetterQueue: "#/queues/dead-letters",
  QuarantineQueue: "#/queues/quarantine",
};

function describe(logicalId: string, body: string, state: string): string {
  const message = parseJson(body);
  const check = readCallCheck(message);
  if (check !== undefined) return `The summary of the call ${check.sessionId} of ${check.appId}`;
  return state === "inFlight"
    ? `A message of ${logicalId} is delivered again`
    : `A message of ${logicalId} is delivered`;
}

function ticketIn(logicalId: string, body: string): Ticket | undefined {
  if (logicalId !== "ParkedLanesQueue") return undefined;
  try {
    return readTicket(parseJson(body));
  } catch {
    return undefined; // the ticket of a pause
  }
}

function laneItem({ resources, stores }: World["cloud"], { lane }: Ticket) {
  const { name } = resources.LanesTable ?? { name: "" };
  const { table } = stores.tables.get(name);
  const key = { lane: { S: lane.id }, item: { S: "state" } };
  return { table, key, item: table.get(key) };
}

function wakeTime(cloud: World["cloud"], ticket: Ticket): number | undefined {
  const { item } = laneItem(cloud, ticket);
  const { wakeAt } = item === undefined ? {} : readOwnItem(item);
  return typeof wakeAt === "number" ? wakeAt : undefined;
}

/** The ticket's reader checks the lane's own time. */
function wakeNow(cloud: World["cloud"], ticket: Ticket, nowMs: number): void {
  const { table, key, item } = laneItem(cloud, ticket);
  if (item === undefined) return;
  const next = { ...item, wakeAt: { N: String(nowMs) } };
  table.commit({ key, old: item, next });
}

const kinds = {
  wait: "the wait ends",
  retry: "the step is retried",
  timeout: "the callback times out",
  invocation: "the flow is invoked again after a failure",
} as const;

function flows({ cloud }: World): Timer[] {
  return cloud.durable.waiting().map(({ arn, executionName, functionName, operation, kind, atMs }) => ({
    id: `flow ${arn} ${operation?.Id ?? ""}`,
    kind: "flow",
    what: `${operation?.Name ?? executionName}: ${kinds[kind]}`,
    where: `${functionName}, execution ${executionName}`,
    dueMs: atMs,
    href: `#/flows/${encodeURIComponent(executionName)}`,
    fire: () => cloud.durable.hasten(arn, operation?.Id),
  }));
}

function tries({ cloud }: World): Timer[] {
  return cloud.waitingTries().map((waiting) => ({
    id: `try ${waiting.id}`,
    kind: "try",
    what: `${waiting.functionKey} is invoked again`,
    where: `asynchronous invocation, failed ${waiting.failedTries === 1 ? "once" : "twice"}`,
    dueMs: waiting.dueMs,
    fire() {
      waiting.fire();
      return true;
    },
  }));
}

function schedules({ cloud: { scheduled } }: World): Timer[] {
  return scheduled.list().flatMap(({ id, functionKey, expression, description, dueMs }) =>
    dueMs === undefined
      ? []
      : [
          {
            id: `schedule ${id}`,
            kind: "schedule" as const,
            what: description ?? `${functionKey} is invoked`,
            where: `${functionKey}, ${expression}${scheduled.isOn ? "" : ", off"}`,
            dueMs,
            fire() {
              scheduled.fire(id);
              return true;
            },
          },
        ],
  );
}
