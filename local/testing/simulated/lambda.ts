import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import type { NamedQueue } from "../../cloud/queue/named-queue.ts";
import type { ReceivedMessage } from "../../cloud/queue/queue-message.ts";
import { toSqsRecord } from "../../cloud/sqs-event.ts";
import type { Clock } from "./clock.ts";
import { createEnvironments, runInvocation } from "./environments.ts";
import type { Process } from "./process.ts";
import { between, type Random } from "./random.ts";

/** One function, fed from queues as by Lambda's event source mappings. */
export type Lambda = ReturnType<typeof createLambda>;

export interface EventSource {
  readonly queue: NamedQueue;
  readonly batchSize: number;
  readonly maximumConcurrency: number;
}

/** Created at an environment's cold start. */
export type Handler = (records: readonly SQSRecord[], remainingMs: number) => Promise<SQSBatchResponse>;

export interface LambdaOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly createProcess: (name: string) => Process;
  readonly startHandler: (process: Process) => Handler;
  readonly timeoutMs: number;
  /** A batch's messages are then received again. */
  readonly losesDeletion?: () => boolean;
  /** A paused queue is not polled until then, in milliseconds since 1970. */
  readonly standsStillUntilMs?: (queueName: string) => number | undefined;
  /** How long after a change a queue is polled, in milliseconds. Default: 5 to 25. */
  readonly pollAfterMs?: (random: Random) => number;
  /** Kills an environment this long after a batch began; undefined for most. */
  readonly killAfterMs?: () => number | undefined;
}

export function createLambda(options: LambdaOptions) {
  const { clock, random, createProcess, startHandler, timeoutMs } = options;
  const deaths: number[] = [];
  const batches: string[][] = [];
  let running = 0;
  let worked = 0;
  const environments = createEnvironments((number) => {
    const process = createProcess(`environment-${number}`);
    process.onDeath(() => void deaths.push(clock.now()));
    return { process, handler: startHandler(process) };
  });

  const invoke = async (records: readonly SQSRecord[]): Promise<readonly string[] | undefined> => {
    const { used, isNew } = environments.take();
    if (isNew) await clock.sleep(between(random, 150, 400));
    const { process, handler } = used;
    const begunMs = clock.now();
    const killAfterMs = options.killAfterMs?.() ?? timeoutMs;
    const endsAtMs = begunMs + Math.min(killAfterMs, timeoutMs);
    const work = () => handler(records, timeoutMs);
    const ending = await runInvocation({ process, work }, clock, endsAtMs, () => {
      // A frozen environment is forgotten at its timeout, but continues when thawed.
      if (process.isFrozen()) environments.all.delete(used);
      else process.kill();
    });
    used.isBusy = false;
    worked += clock.now() - begunMs;
    if (ending.kind !== "answered") return undefined;
    return ending.answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  };

  const work = async (messages: readonly ReceivedMessage[], arn: string) => {
    running += 1;
    batches.push(messages.map(({ messageId }) => messageId));
    const failed = await invoke(
      messages.map((message) => toSqsRecord(message, { queueArn: arn, region: "us-east-1" })),
    );
    await clock.sleep(between(random, 2, 8));
    running -= 1;
    return failed;
  };

  return {
    /** Starts to receive batches from a queue. */
    addSource: (source: EventSource) => pollSource(source, options, work),
    batches,
    /** Work on batches, without cold starts, in milliseconds. */
    workedMs: () => worked,
    running: () => running,
    deaths: () => deaths.length,
    firstDeathMs: () => deaths[0],
  };
}

/** @param work returns the ids of the failed messages; undefined if all failed */
function pollSource(
  { queue: { queue, arn }, batchSize, maximumConcurrency }: EventSource,
  {
    clock,
    random,
    losesDeletion,
    standsStillUntilMs,
    pollAfterMs = (own) => between(own, 5, 25),
  }: LambdaOptions,
  work: (messages: readonly ReceivedMessage[], arn: string) => Promise<readonly string[] | undefined>,
) {
  let busy = 0;
  let plannedMs = Number.POSITIVE_INFINITY;
  let callOff = () => {};

  const plan = (ms: number) => {
    if (ms >= plannedMs) return;
    callOff();
    plannedMs = ms;
    callOff = clock.at(ms, pump);
  };
  const pump = () => {
    plannedMs = Number.POSITIVE_INFINITY;
    const untilMs = standsStillUntilMs?.(arn.split(":").at(-1) ?? "");
    if (untilMs !== undefined) return plan(untilMs);
    while (busy < maximumConcurrency) {
      const messages = queue.receive({ max: batchSize });
      if (messages.length === 0) break;
      void handle(messages);
    }
    if (busy < maximumConcurrency)
      plan(Math.max(queue.nextChangeAtMs() ?? Number.POSITIVE_INFINITY, clock.now() + 1));
  };
  const handle = async (messages: readonly ReceivedMessage[]) => {
    busy += 1;
    const failed = await work(messages, arn);
    if (failed !== undefined && !losesDeletion?.()) {
      for (const { messageId, receiptHandle } of messages) {
        if (!failed.includes(messageId)) deleteIfOurs(receiptHandle);
      }
    }
    busy -= 1;
    plan(clock.now() + 1);
  };
  /** A message whose visibility timeout ended belongs to another receiver. */
  const deleteIfOurs = (receiptHandle: string) => {
    try {
      queue.delete(receiptHandle);
    } catch {}
  };

  queue.onChange(() => plan(clock.now() + pollAfterMs(random)));
  plan(clock.now());
}
