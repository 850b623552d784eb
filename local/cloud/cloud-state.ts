import timers from "node:timers/promises";
import {
  type CloudContents,
  type CloudStores,
  copyContents,
  emptyContents,
  restoreContents,
} from "./cloud-contents.ts";
import type { CloudReport } from "./cloud-report.ts";
import type { CloudServices } from "./cloud-services.ts";
import type { Consumers } from "./consumers.ts";
import type { LambdaService } from "./lambda/lambda-service.ts";
import type { Schedules } from "./schedules/run-schedules.ts";
import type { LambdaCounts } from "./start-lambda.ts";

export function queueControls(
  { sqs, bus }: CloudServices,
  { resources, mappings }: CloudReport,
  consumers: Consumers,
) {
  const nameOf = (logicalId: string) => {
    const resource = resources[logicalId];
    if (resource) return resource.name;
    const known = Object.keys(resources).join(", ");
    throw new Error(`serverless.yml declares no ${logicalId}. It has ${known}.`);
  };
  const waiting = () =>
    mappings
      .map(({ queueName }) => ({ queueName, depth: sqs.depth(queueName) }))
      .filter(({ depth }) => depth.visible + depth.inFlight > 0);
  return {
    busEvents: () => bus.events,
    queueDepth: (logicalId: string) => sqs.depth(nameOf(logicalId)),
    receiveAll: (logicalId: string) => sqs.peek(nameOf(logicalId)),
    /** Resolves when queues with consumers are empty, except for delayed messages. */
    async drained({ timeoutMs = 60_000 } = {}) {
      const deadline = performance.now() + timeoutMs;
      while (waiting().length > 0 || consumers.areBusy()) {
        if (performance.now() > deadline) {
          const depths = waiting().map(({ queueName, depth }) => `${queueName} ${JSON.stringify(depth)}`);
          throw new Error(`Messages are left after ${timeoutMs} ms: ${depths.join(", ") || "a batch runs"}.`);
        }
        await timers.setTimeout(10);
      }
    },
    stopQueue: () => sqs.stop(),
    startQueue: () => sqs.start(),
    refuseQueue: (count: number, error?: { code: string; status: number }) => sqs.refuseNext(count, error),
    pauseConsumers: () => consumers.pause(),
    resumeConsumers: () => consumers.resume(),
  };
}

interface StateParts {
  readonly services: CloudServices;
  readonly report: CloudReport;
  readonly consumers: Consumers;
  readonly lambda: LambdaService;
  readonly scheduled: Schedules;
  readonly state: LambdaCounts & { isHalted: boolean };
}

export function runControls({ services, report, consumers, lambda, scheduled, state }: StateParts) {
  const { sqs, durable } = services;
  const consumedQueues = report.mappings.map(({ queueName }) => sqs.service.get(queueName).queue);
  /** Read by the code that moves the clock. */
  const timeSources = [
    ...consumedQueues.map((queue) => ({ nextAtMs: () => queue.nextChangeAtMs() })),
    ...scheduled.sources,
  ];
  const isQuiet = () =>
    !consumers.areBusy() &&
    !lambda.isBusy() &&
    (!sqs.isReachable ||
      !report.mappings.some(
        ({ queueName }) => consumers.takesFrom(queueName) && sqs.service.get(queueName).queue.hasReady(),
      ));
  return {
    timeSources,
    notifyQueues() {
      for (const queue of consumedQueues) queue.notify();
    },
    /**
     * Resolves when nothing runs and no message is ready, or after 30 s. Returns how many invocations ended.
     */
    async settled({ timeoutMs = 30_000 } = {}) {
      const deadline = performance.now() + timeoutMs;
      while (!isQuiet() && performance.now() < deadline) await timers.setTimeout(5);
      return state.endedInvocations;
    },
    /** Ends the functions' processes and calls until `resume`. */
    async halt() {
      state.isHalted = true;
      durable.pause();
      await Promise.all([lambda.halt(), consumers.pause()]);
      await durable.idle();
      // Lets servers answer what the processes had sent.
      for (let turn = 0; turn < 20; turn += 1) await timers.setImmediate();
    },
    resume() {
      state.isHalted = false;
      scheduled.restart();
      lambda.resume();
      durable.resume();
      consumers.resume();
    },
  };
}

export function stateControls(services: CloudServices) {
  const { sqs, dynamodb, secrets, durable, versions, metrics, logs } = services;
  const stores: CloudStores = { queues: sqs.service, tables: dynamodb.service, secrets, durable, versions };
  /** Replaces the whole state; deletes metrics and logs. Call it between `halt` and `resume`. */
  const putBack = (contents: CloudContents) => {
    metrics.clear();
    logs.clear();
    restoreContents(stores, contents);
  };
  return {
    stores,
    contents: () => copyContents(stores),
    putBack,
    /** Keeps secrets: functions have copies of them. */
    reset: async () => putBack(emptyContents(stores)),
  };
}
