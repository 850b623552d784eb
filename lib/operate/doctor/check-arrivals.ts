import { readQueueCounts } from "../../aws/queue-counts.ts";
import { readText } from "../../events/read-path.ts";
import { isReported, sentAtOf } from "../../handle/reported-message.ts";
import { createListMessages, rawMessages } from "../reconcile/list-messages.ts";
import { chatOf, type SecretCredentials } from "./app-secret-state.ts";
import { isAppPaused } from "./check-paused.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, unknown, wrong } from "./finding.ts";
import type { RecentLogs } from "./recent-logs.ts";

const hourMs = 3_600_000;
/** The platform repeats deliveries for 40 s; logs are late, too. */
const settlingMs = 90_000;

/**
 * Finds what no setting shows: the platform delivers nothing, as while the legacy engine is on
 * (docs/internals/platform/webhooks.md#engines).
 * @param changedAtMs the last change of webhooks or secret: messages from before may be from before they
 *   worked
 */
export async function checkArrivals(
  credentials: SecretCredentials,
  services: DoctorServices,
  logs: Pick<RecentLogs, "hasArrived">,
  changedAtMs: number,
): Promise<Found> {
  const { appId } = credentials;
  const { now } = services;
  const span = {
    since: Math.ceil(Math.max(now() - hourMs, changedAtMs + 1_000) / 1000),
    until: Math.floor((now() - settlingMs) / 1000),
  };
  const nothing = ok("No message of the last hour could show whether messages arrive.");
  if (span.since > span.until) return nothing;
  const list = createListMessages(chatOf(credentials, services, { rawMessages }).rawMessages);
  const { messages } = await list(span, undefined, now() + 15_000);
  const last = messages.findLast(({ message }) => isReported(message) && !message.deletedAt);
  const sentAt = sentAtOf(last?.message);
  if (last === undefined || sentAt === undefined) return nothing;
  const hasArrived = await logs.hasArrived(appId, sentAt * 1000);
  if (hasArrived === true) return ok("An event arrived since the last message of the hour was sent.");
  if (hasArrived === undefined) return unknown("LOG_LEVEL hides which events arrive.");
  const { waiting, taken } = await readQueueCounts(services.callAws, services.queueUrls.events);
  if (waiting + taken > 0) return unknown(`Events in the queue or in hand: ${waiting + taken}.`);
  if (await isAppPaused(appId, services)) return unknown("The app is paused.");
  const at = new Date(sentAt * 1000).toISOString().slice(11, 16);
  return wrong(
    `Nothing arrived since the message ${readText(last.message, "id")} was sent at ${at}Z: the platform delivers nothing here.`,
    "In the dashboard, Webhooks, check that the current engine is on, not the legacy one",
  );
}
