import { toSqsRecord } from "../../local/cloud/sqs-event.ts";
import { documentedSamples } from "../../local/platform/catalogue/catalogue.ts";
import { createRandom, type Random } from "../../local/testing/world/random.ts";
import { benchSecret } from "../bench/loopback-aws.ts";
import { loadFixtures } from "../helpers/events/fixtures.ts";
import { captureLines } from "./capture-lines.ts";
import { loadFunctions } from "./fuzz-functions.ts";
import { queueNames, startFuzzServices } from "./fuzz-services.ts";
import { mutateDelivery } from "./mutate-delivery.ts";

/** What became of the bodies, and which of them broke a promise. */
export interface FuzzFigures {
  /** By the receiver's status. */
  readonly answers: ReadonlyMap<number, number>;
  /** Of what was queued. */
  readonly handled: number;
  readonly quarantined: number;
  /** By cause. */
  readonly buried: ReadonlyMap<string, number>;
  readonly slowestAnswerMs: number;
  readonly breaches: readonly Breach[];
}

/** A body that was not answered as documented, or not handled at the first attempt. */
export interface Breach {
  readonly index: number;
  readonly what: string;
  readonly bytes: Buffer;
}

/** The documented answers of the receiver (docs/deploy.md). */
const documentedAnswers = new Set([200, 400, 401, 413]);

/** What the receiver has at least until it must answer (lib/receive/receive-webhook.ts), less what its queue has of it. */
const leastMs = 500;

/** How many bodies it takes until tables and queues forget: they live in memory. */
const forgetAfter = 2_000;

/**
 * Sends as many mutated deliveries through the real bundles, one after the other: each is answered as documented, and
 * each that was queued is handled, put into quarantine or buried with a cause, at the first attempt; each line that is
 * logged is one JSON object.
 */
export async function runFuzz(
  seed: number,
  count: number,
  /** Hears of every body that was sent, and of what it broke. */
  onSent: (index: number, breach: Breach | undefined) => void = () => {},
): Promise<FuzzFigures> {
  const random = createRandom(seed);
  const samples = [...loadFixtures().map(([, body]) => body), ...Object.values(documentedSamples())];
  const services = await startFuzzServices();
  const { sqs, environment } = services;
  const functions = await loadFunctions(environment);
  const answers = new Map<number, number>();
  const buried = new Map<string, number>();
  const breaches: Breach[] = [];
  let [handled, quarantined, slowestAnswerMs] = [0, 0, 0];
  const depthOf = (name: string) => sqs.peek(name).length;

  const consume = async (): Promise<string | undefined> => {
    const { queue, arn } = sqs.service.get(queueNames.events);
    const messages = queue.receive({ max: 10 });
    if (messages.length === 0) return undefined;
    const Records = messages.map((message) => toSqsRecord(message, { queueArn: arn, region: "us-east-1" }));
    for (const name of [queueNames.quarantine, queueNames.deadLetters])
      sqs.service.get(name).queue.replace([]);
    const { batchItemFailures } = await functions.consume({ Records }, context);
    for (const { receiptHandle } of messages) queue.delete(receiptHandle);
    const causes = sqs
      .peek(queueNames.deadLetters)
      .map(({ attributes }) => attributes.Cause?.StringValue ?? "");
    for (const cause of causes) buried.set(cause, (buried.get(cause) ?? 0) + 1);
    const aside = depthOf(queueNames.quarantine);
    quarantined += aside;
    handled += messages.length - aside - causes.length;
    if (batchItemFailures.length > 0) return "given back to the queue";
    if (depthOf(queueNames.parkedLanes) > 0) return "not handled at the first attempt";
    return causes.includes("") ? "buried without a cause" : undefined;
  };

  const send = async (bytes: Buffer): Promise<string | undefined> => {
    const begun = performance.now();
    const event = toGatewayEvent(bytes, random);
    let { statusCode } = await functions.receive(event, context);
    const answerMs = performance.now() - begun;
    slowestAnswerMs = Math.max(slowestAnswerMs, answerMs);
    // A machine that stood still for as long as the receiver has is no body's doing.
    if (statusCode === 503 && answerMs > leastMs) ({ statusCode } = await functions.receive(event, context));
    answers.set(statusCode, (answers.get(statusCode) ?? 0) + 1);
    const what = documentedAnswers.has(statusCode) ? await consume() : `answered ${statusCode}`;
    const line = output.takeOdd();
    return line === undefined ? what : `wrote a line that is no JSON object: ${line.slice(0, 200)}`;
  };

  const output = captureLines();
  try {
    for (let index = 0; index < count; index++) {
      if (index % forgetAfter === 0) await services.forget();
      const bytes = mutateDelivery(samples, random);
      const what = await send(bytes).catch((error) => `threw ${error.stack}`);
      const breach = what === undefined ? undefined : { index, what, bytes };
      onSent(index, breach);
      if (breach === undefined) continue;
      breaches.push(breach);
      await services.forget();
    }
  } finally {
    output.restore();
    functions.unload();
    await services.close();
  }
  return { answers, handled, quarantined, buried, slowestAnswerMs, breaches };
}

const context = {
  functionName: "fuzz",
  functionVersion: "$LATEST",
  memoryLimitInMB: "512",
  awsRequestId: "00000000-0000-4000-8000-000000000000",
  getRemainingTimeInMillis: () => 120_000,
};

/** One in twenty comes with the wrong credentials or none. */
function toGatewayEvent(bytes: Buffer, random: Random): unknown {
  const { appId, webhookUsername, webhookPassword } = benchSecret;
  const right = `Basic ${Buffer.from(`${webhookUsername}:${webhookPassword}`).toString("base64")}`;
  const wrong = ["Basic", "Basic ", "Basic ====", "Bearer x", `Basic ${"A".repeat(9_000)}`, "\u0000"];
  const authorization = random() < 0.95 ? right : wrong[Math.floor(random() * (wrong.length + 1))];
  const isText = bytes.equals(Buffer.from(bytes.toString("utf8")));
  const isBase64Encoded = !isText || random() < 0.3;
  const path = `/webhooks/${appId}`;
  return {
    version: "2.0",
    routeKey: "POST /webhooks/{appId}",
    rawPath: path,
    rawQueryString: "",
    headers: { "content-type": "application/json", ...(authorization !== undefined && { authorization }) },
    pathParameters: { appId },
    requestContext: { http: { method: "POST", path, protocol: "HTTP/1.1", sourceIp: "192.0.2.1" } },
    body: bytes.toString(isBase64Encoded ? "base64" : "utf8"),
    isBase64Encoded,
  };
}
