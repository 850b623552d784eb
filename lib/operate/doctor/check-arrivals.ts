import { sha256Hex } from "../../base/digest.ts";
import { readText } from "../../base/json.ts";
import { identify } from "../../events/identity.ts";
import { systemUser } from "../../events/marks/automatic.ts";
import type { CanaryUsers } from "../../handle/canary/canary.ts";
import { isReported, sentAtOf } from "../../handle/count-received.ts";
import { laneOf } from "../../queue/lanes/lane-record.ts";
import { openLaneStores } from "../../queue/lanes/lane-store.ts";
import { createListMessages, type ListedMessage, rawMessages } from "../reconcile/list-messages.ts";
import { chatOf, type SecretCredentials } from "./app-secret-state.ts";
import { sinceOf } from "./check-deliveries.ts";
import { isAppPaused, readQueuedEvents } from "./check-queues.ts";
import type { DoctorServices, RecentLogs } from "./doctor-services.ts";
import { type Found, ok, unknown, wrong } from "./run-checks.ts";

const hourMs = 60 * 60_000;
/** The platform retries deliveries for 40 s, and logs are late. */
const settlingMs = 90_000;
/** The platform's clock sets the time of messages. */
const leewayMs = 5 * 60_000;
const mostLooked = 5;

interface ArrivalsOptions {
  /** In milliseconds since 1970. Earlier messages may be from before the webhooks worked. */
  readonly changedAtMs: number;
  readonly canary: CanaryUsers | undefined;
}

/**
 * Detects what no setting shows: a platform that delivers nothing
 * (docs/internals/platform/webhooks.md#engines), or not what users write in their clients
 * (docs/internals/platform/events.md#what-fires-message_sent).
 */
export async function checkArrivals(
  credentials: SecretCredentials,
  services: DoctorServices,
  logs: Pick<RecentLogs, "hasArrived">,
  { changedAtMs, canary }: ArrivalsOptions,
): Promise<Found> {
  const { appId } = credentials;
  const { now, remedies } = services;
  const span = {
    since: Math.ceil(Math.max(now() - hourMs, changedAtMs + 1_000) / 1000),
    until: Math.floor((now() - settlingMs) / 1000),
  };
  const from = timeOf({ sentAtMs: span.since * 1000 });
  const nothing = ok(
    `No message that a user sent from ${from} until ${settlingMs / 1000} s ago could show whether messages arrive. Send one, and run this again after ${settlingMs / 1000} s.`,
  );
  if (span.since > span.until) return nothing;
  const list = createListMessages(chatOf(credentials, services, { rawMessages }).rawMessages);
  const { messages } = await list(span, undefined, now() + 15_000);
  const listed = messages.flatMap((one) => toExpected(one, appId) ?? []);
  const { count, oldestMs = 0 } = await readQueuedEvents(services.callAws, services.queueUrls.events, now());
  const settled = count === 0 ? listed : listed.filter(({ sentAtMs }) => sentAtMs < oldestMs - leewayMs);
  const expected = settled.length > 0 ? settled : listed;
  const last = expected.at(-1);
  if (last === undefined) return nothing;
  const looked = expected.filter(({ message }) => isByUser(message, canary)).slice(-mostLooked);
  const [oldest] = looked;
  const newest = looked.at(-1) ?? last;
  const hasAnyArrived = await logs.hasArrived(appId, last.sentAtMs);
  const hasArrived =
    hasAnyArrived === true && oldest !== undefined
      ? await logs.hasArrived(appId, oldest.sentAtMs - leewayMs, new Set(looked.map(({ key }) => key)))
      : hasAnyArrived;
  if (hasArrived === true)
    return oldest === undefined ? nothing : ok("A user's message of the hour arrived.");
  if (hasArrived === undefined) return unknown("LOG_LEVEL hides which events arrive.");
  if (settled.length === 0) return unknown(`Events in the queue or in hand: ${count}.`);
  const waiting = await findWaiting(appId, looked, services);
  if (waiting !== undefined) return unknown(waiting);
  if (hasAnyArrived === false || oldest === undefined) {
    return wrong(
      `Nothing arrived since the message ${last.id} was sent at ${timeOf(last)}: the platform delivers nothing here.`,
      "In the dashboard, Webhooks, check that the current engine is on, not the legacy one. If it is, check whether message_sent fires for messages of your clients",
    );
  }
  const ids = looked.map(({ id }) => id).join(", ");
  const handOver = remedies.handOver(appId, sinceOf(oldest.sentAtMs, now()));
  return wrong(
    `No message_sent arrived for users' last messages (${ids}; the last one was sent at ${timeOf(newest)}), but other events did. To hand them over: ${handOver}`,
    "In the dashboard, Webhooks, check the trigger message_sent, and whether it fires for messages of your clients",
  );
}

interface Expected extends ListedMessage {
  readonly sentAtMs: number;
  /** Of its `message_sent`. */
  readonly key: string;
  readonly laneId: string;
}

/** Undefined if no `message_sent` is certain. */
function toExpected({ id, message }: ListedMessage, appId: string): Expected | undefined {
  const sentAt = sentAtOf(message);
  const identity = identify({ trigger: "message_sent", data: { message } }, appId);
  if (!isReported(message) || message.deletedAt || sentAt === undefined || identity === undefined)
    return undefined;
  const { key, lane } = identity;
  return { id, message, sentAtMs: sentAt * 1000, key, laneId: laneOf("events", sha256Hex(lane)).id };
}

/** The canary's and this system's messages come by REST, which always fires `message_sent`. */
function isByUser(message: unknown, canary: CanaryUsers | undefined) {
  const sender = readText(message, "sender")?.toLowerCase();
  const isOwn = readText(message, "data.metadata.automaticMark") !== undefined || sender === systemUser;
  return !isOwn && sender !== canary?.sender && sender !== canary?.receiver;
}

async function findWaiting(appId: string, looked: readonly Expected[], services: DoctorServices) {
  const { lanes, now } = services;
  if (await isAppPaused(appId, services)) return "The app is paused.";
  // Events of a parked lane write no line at INFO.
  const laneIds = new Set(looked.map(({ laneId }) => laneId));
  const parked = await openLaneStores(lanes, now).store.find([...laneIds]);
  return parked.size > 0 ? "The conversations of users' last messages wait." : undefined;
}

function timeOf({ sentAtMs }: Pick<Expected, "sentAtMs">) {
  return `${new Date(sentAtMs).toISOString().slice(11, 16)}Z`;
}
