import { between } from "../../local/testing/simulated/random.ts";
import { idle } from "../chaos/world/handlers.ts";
import { createWorld } from "../chaos/world/world.ts";
import { lineBytes } from "./log-bytes.ts";

/** The average cost of one webhook, counted while the real receiver and consumer run. */
export interface CountedCalls {
  /** Webhooks in a batch. */
  readonly batch: number;
  readonly receiverCalls: number;
  readonly consumerCalls: number;
  /** Seconds of the consumer, at 5 ms for a table's answer and 100 ms for the platform's. */
  readonly consumerSeconds: number;
  /** SendMessage of the receiver; ReceiveMessage and DeleteMessageBatch of the mapping; the consumer's. */
  readonly queueRequests: number;
  /** Of 1 kB. */
  readonly tableWrites: number;
  /** Consistent ones of 4 kB, by purpose. */
  readonly healthReads: number;
  readonly laneReads: number;
  readonly otherReads: number;
  readonly eventsPut: number;
  readonly logLines: number;
  readonly logBytes: number;
  /** Lines that count something in CloudWatch. */
  readonly metricLines: number;
}

export interface CountOptions {
  /** How many webhooks arrive at the same time, each in a different conversation: the consumer's batch. */
  readonly batch: number;
  /** The share of them that is answered: 0, 0.5 or 1. */
  readonly answered: number;
  readonly webhooks: number;
  readonly seed?: number;
}

/** The work before the counting: cold starts and secrets. */
const warmUpMs = 60_000;

/** Runs that many webhooks without faults and counts the requests to AWS. */
export async function countCalls({
  batch,
  answered,
  webhooks,
  seed = 1,
}: CountOptions): Promise<CountedCalls> {
  const tally = new Map<string, number>();
  const add = (name: string, count = 1) => tally.set(name, (tally.get(name) ?? 0) + count);
  const world = createWorld({
    seed,
    appIds: [appId],
    receptionOf: (_, __, random) => ({ kind: "well", ms: between(random, 90, 110) }),
    enabledTriggers: "reply",
    pollAfterMs: () => 40,
    fateOf: (operation, body) => {
      for (const [name, count] of unitsOf(operation, body)) add(name, count);
      return "answered";
    },
    onLog: (level, message, fields) => {
      if (level === "debug") return; // not written at the deployed level
      add("logLines");
      add("logBytes", lineBytes(level, message, fields));
    },
    onCount: () => add("metricLines"),
  });
  try {
    const send = (number: number, atMs: number) =>
      world.send({
        id: String(1_000_000 + number),
        appId,
        // So many that none gets more answers in ten minutes than allowed.
        conversation: `group-${number % 50}`,
        atMs,
        text: Math.abs(number) % 2 < 2 * answered ? "hello" : idle,
      });
    for (let number = 0; number < 5 * batch; number += 1) send(-1 - number, 1_000 * number);
    await world.run(warmUpMs);
    tally.clear();
    const before = { batches: world.lambda.batches.length, workedMs: world.lambda.workedMs() };
    for (let number = 0; number < webhooks; number += 1) {
      send(number, warmUpMs + 2_000 * Math.floor(number / batch));
    }
    await world.run(warmUpMs + 2_000 * (webhooks / batch) + 60_000);

    const batches = world.lambda.batches.length - before.batches;
    const per = (name: string) => (tally.get(name) ?? 0) / webhooks;
    return {
      batch: webhooks / batches,
      receiverCalls: 1,
      consumerCalls: batches / webhooks,
      consumerSeconds: (world.lambda.workedMs() - before.workedMs) / 1000 / webhooks,
      queueRequests: per("queueRequests") + (2 * batches) / webhooks,
      tableWrites: per("tableWrites"),
      healthReads: per("healthReads"),
      laneReads: per("laneReads"),
      otherReads: per("otherReads"),
      eventsPut: per("eventsPut"),
      logLines: per("logLines"),
      logBytes: per("logBytes"),
      metricLines: per("metricLines"),
    };
  } finally {
    world.close();
  }
}

/** As long as the platform's. */
const appId = "2081f4b9e0d6a735";

/** The billed units of a request, from its input. */
function unitsOf(operation: string, body: string): readonly (readonly [name: string, count: number])[] {
  const input: Record<string, unknown> = JSON.parse(body);
  const [service, name = ""] = operation.split(".");
  if (service === "sqs") {
    return [["queueRequests", Math.ceil(Buffer.byteLength(String(input.MessageBody ?? "")) / 65_536) || 1]];
  }
  if (service === "AWSEvents") return [["eventsPut", 1]];
  switch (name) {
    case "PutItem":
      return [["tableWrites", Math.ceil(Buffer.byteLength(JSON.stringify(input.Item)) / 1024)]];
    case "UpdateItem":
    case "DeleteItem":
      return [["tableWrites", 1]];
    case "BatchGetItem":
      return [["laneReads", keysIn(input)]];
    case "Query":
      return [[body.includes('"app ') ? "healthReads" : "otherReads", 1]];
    case "GetItem":
      return [["otherReads", 1]];
    default:
      return [];
  }
}

function keysIn({ RequestItems }: Record<string, unknown>) {
  const tables: readonly { readonly Keys: readonly unknown[] }[] = Object.values(Object(RequestItems));
  return tables.reduce((sum, { Keys }) => sum + Keys.length, 0);
}
