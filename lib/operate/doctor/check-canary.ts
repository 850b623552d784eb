import { readQueueCounts } from "../../aws/queue-counts.ts";
import { countOf } from "../../base/count-of.ts";
import { isCode } from "../../chat/is-code.ts";
import { messages } from "../../chat/resources/messages.ts";
import type { LoopGuard } from "../../events/marks/loop-guard.ts";
import { type CanaryUsers, createCanaryStore } from "../../handle/canary/canary.ts";
import { type CanaryOutcome, type CanaryTimes, playCanary } from "../../handle/canary/play-canary.ts";
import { chatOf, type SecretCredentials } from "./app-secret-state.ts";
import { countMetrics } from "./check-deliveries.ts";
import { isAppPaused } from "./check-queues.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, unknown, whyUnknown, wrong } from "./run-checks.ts";

export interface CanaryMeans {
  readonly guardOf: (appId: string) => LoopGuard;
  readonly maxWaitMs: number;
  readonly onTimes?: (appId: string, times: CanaryTimes) => void;
}

/** @throws GuardKeyError, AwsCallError */
export async function checkCanary(
  credentials: SecretCredentials,
  users: CanaryUsers,
  services: DoctorServices,
  { guardOf, maxWaitMs, onTimes }: CanaryMeans,
): Promise<Found> {
  const { appId } = credentials;
  const { lanes, now, sleep } = services;
  if (await isAppPaused(appId, services))
    return unknown("No canary was sent: the app's events wait, as it is paused.");
  const client = chatOf(credentials, services, { messages });
  const outcome = await playCanary({
    appId,
    users,
    guard: guardOf(appId),
    store: createCanaryStore(lanes, now),
    // By the muid, the client finds a message whose answer was lost.
    send: (message) =>
      client.messages.send({ ...message, muid: crypto.randomUUID() }, { onBehalfOf: users.sender }),
    remove: (id) => client.messages.delete(id, {}, { onBehalfOf: users.sender }),
    now,
    sleep,
    maxWaitMs,
  });
  if (outcome.kind === "handled") onTimes?.(appId, outcome.times);
  return toFound(appId, users, outcome, services, maxWaitMs);
}

async function toFound(
  appId: string,
  users: CanaryUsers,
  outcome: CanaryOutcome,
  services: DoctorServices,
  maxWaitMs: number,
) {
  const left =
    "isLeft" in outcome && outcome.isLeft ? ` Its message ${outcome.messageId} could not be deleted.` : "";
  const { remedies } = services;
  switch (outcome.kind) {
    case "handled": {
      const { sendMs, deliverMs, queueMs, totalMs } = outcome.times;
      return ok(
        `The canary was handled in ${totalMs} ms: sent in ${sendMs}, delivered in ${deliverMs}, handed out in ${queueMs}.${left}`,
      );
    }
    case "blocked":
      return wrong(
        `The platform's moderation blocked the canary.${left}`,
        `In the dashboard, Moderation, let the messages of ${users.sender} pass`,
      );
    case "not-sent":
      return notSent(appId, users, outcome.error, remedies);
    case "lost": {
      const lost = `The canary was sent and did not come within ${maxWaitMs / 1000} s`;
      const range = { fromMs: outcome.sentAt - 60_000, toMs: services.now() };
      const metrics = ["DeliveryUnauthorized"];
      const [refused] = await countMetrics(appId, services.callAws, metrics, range).catch(() => []);
      if (refused !== undefined) {
        return wrong(
          `${lost}: the receiver refused ${countOf(refused.count, "delivery", "deliveries")} meanwhile: the password is not the secret's.${left}`,
          remedies.setUpApp(appId),
        );
      }
      const counts = readQueueCounts(services.callAws, services.queueUrls.events);
      const { waiting } = await counts.catch(() => ({ waiting: 0 }));
      if (waiting > 0) {
        return wrong(
          `${lost}: ${countOf(waiting, "event waits", "events wait")} in the queue, it may be one of them.${left}`,
          remedies.status,
        );
      }
      return wrong(
        `${lost}: it seems that no delivery of it reached the receiver.${left}`,
        remedies.setUpApp(appId),
      );
    }
  }
}

function notSent(
  appId: string,
  { sender, receiver }: CanaryUsers,
  error: unknown,
  { logs }: DoctorServices["remedies"],
): Found {
  if (isCode(error, "ERR_UID_NOT_FOUND")) {
    return wrong(
      `The canary's users are not both in the app: ${sender} and ${receiver}.`,
      "Name both in config/users.yml, or make them in the dashboard, Users",
    );
  }
  const { says, remedy = logs(appId) } = whyUnknown(error);
  return wrong(`The canary could not be sent. ${says}`, remedy);
}
