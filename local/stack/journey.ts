import { readEnabledNames } from "../../lib/handle/enabled-triggers.ts";
import type { BatchEvent } from "../cloud/event-source.ts";
import type { PlatformRecord } from "../platform/services/records.ts";
import { type LocalStack, readSecret } from "./local-stack.ts";
import { createWitness } from "./witness.ts";

export interface JourneyStep {
  readonly name: string;
  readonly outcome: string;
}

export class JourneyError extends Error {
  override readonly name = "JourneyError";

  constructor(step: string, error: unknown) {
    super(`The step “${step}” failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The platform retries a failed delivery after 10 s, and after another 30 s. */
const stepTimeoutMs = 60_000;
const text = "Hello, is anybody there?";

type Witnesses = ReturnType<typeof createWitness<PlatformRecord | BatchEvent>>;

/**
 * Follows a message through delivery, queue, handling and reply; then seeds the moderation reasons.
 * @throws JourneyError that names the failed step
 */
export async function walkJourney(
  localStack: LocalStack,
  report: (step: JourneyStep) => void,
): Promise<void> {
  const witness: Witnesses = createWitness();
  const step = async <T>(name: string, act: () => Promise<readonly [outcome: string, result?: T]>) => {
    try {
      const [outcome, result] = await act();
      report({ name, outcome });
      return result;
    } catch (error) {
      throw new JourneyError(name, error);
    }
  };
  const stop = localStack.subscribe((news) => {
    if (news.kind === "record") witness.note(news.record);
    if (news.kind === "batch") witness.note(news.batch);
  });
  try {
    const messageId = await step(`alice writes to support: “${text}”`, () => sendMessage(localStack));
    await step("the platform delivers message_sent", () => waitForDelivery(witness));
    const batch = await step("the event is queued, in its conversation's lane", () =>
      waitForQueue(witness, messageId),
    );
    await step("processEvents handles it", () => checkBatch(batch));
    if (repliesAutomatically(localStack))
      await step("the reply appears", () => waitForReply(witness, Number(messageId)));
    await step("seed compares the moderation reasons with config/", () => seed(localStack));
  } finally {
    stop();
  }
}

async function sendMessage({ platform, cloud, app }: LocalStack) {
  const response = await fetch(`${platform.appUrl(app.appId)}/messages`, {
    method: "POST",
    headers: {
      apikey: String(readSecret(cloud, app.appId).apiKey),
      onBehalfOf: "alice",
      "content-type": "application/json",
    },
    body: JSON.stringify({ receiver: "support", receiverType: "user", type: "text", data: { text } }),
  });
  const id = textAt(await response.json(), "data", "id");
  if (id === undefined) throw new Error(`The platform answered ${response.status}.`);
  return [`message ${id}`, id] as const;
}

async function waitForDelivery(witness: Witnesses) {
  const attempt = await witness.first(
    (event) => (event.type === "delivery.attempt" && !isTriedAgain(event) ? event : undefined),
    stepTimeoutMs,
  );
  if (attempt.status !== 200) throw new Error(`The receiver answered ${attempt.status ?? attempt.error}.`);
  return [`200 in ${Math.round(attempt.durationMs)} ms`] as const;
}

async function waitForQueue(witness: Witnesses, messageId: string | undefined) {
  const isAbout = ({ body }: { body: string }) => {
    const delivered = textAt(JSON.parse(body), "body") ?? "null";
    return textAt(JSON.parse(delivered), "data", "message", "id") === messageId;
  };
  const batch = await witness.first(
    (event) => (event.type === "batch" && event.records.some(isAbout) ? event : undefined),
    stepTimeoutMs,
  );
  const { attributes } = batch.records.find(isAbout) ?? {};
  const waitedMs = Number(attributes?.ApproximateFirstReceiveTimestamp) - Number(attributes?.SentTimestamp);
  return [`handed out after ${waitedMs} ms`, batch] as const;
}

async function checkBatch({ failures = [], error, durationMs = 0 }: Partial<BatchEvent> = {}) {
  if (error !== undefined || failures.length > 0)
    throw new Error(error ?? "The function reported the record as failed; its log says why.");
  return [`in ${Math.round(durationMs)} ms`] as const;
}

async function waitForReply(witness: Witnesses, messageId: number) {
  const reply = await witness.first((event) => {
    const isReply = event.type === "message" && event.message.sender === "support";
    return isReply && Number(event.message.id) > messageId ? event.message : undefined;
  }, stepTimeoutMs);
  const { onBehalfOf } = await witness.first(
    (event) => (event.type === "request" && event.onBehalfOf === "support" ? event : undefined),
    stepTimeoutMs,
  );
  return [`message ${reply.id}, sent on behalf of ${onBehalfOf}`] as const;
}

async function seed({ cloud, app }: LocalStack) {
  const { payload, functionError } = await cloud.invoke("seed", {});
  if (functionError !== undefined) throw new Error(textAt(payload, "errorMessage") ?? functionError);
  const outcomes = outcomesOf(payload, app.appId);
  const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
  const parts = ["created", "updated", "unchanged"].map((outcome) => `${count(outcome)} ${outcome}`);
  return [parts.join(", ")] as const;
}

/** Returns whether the shipped reply is enabled. */
function repliesAutomatically({ cloud }: LocalStack) {
  const { ENABLED_TRIGGERS = "" } = cloud.environmentOf("processEvents");
  return readEnabledNames(ENABLED_TRIGGERS).some(
    ({ name, isShadowed }) => name === "auto-reply" && !isShadowed,
  );
}

/** Returns whether the platform retries, as after a slow start. */
function isTriedAgain(attempt: { readonly state: string; readonly status: number | undefined }) {
  return attempt.state === "pending" && (attempt.status ?? 503) >= 500;
}

function outcomesOf(payload: unknown, appId: string): string[] {
  const apps = valueAt(payload, "apps");
  const app = Array.isArray(apps) ? apps.find((one) => textAt(one, "appId") === appId) : undefined;
  const things = valueAt(app, "things");
  if (!Array.isArray(things)) throw new Error("The function's answer lists no things.");
  return things.map((thing) => textAt(thing, "outcome") ?? "unknown");
}

function textAt(value: unknown, ...path: string[]) {
  const found = path.reduce(valueAt, value);
  return typeof found === "string" ? found : undefined;
}

function valueAt(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
