import type { Count } from "../base/count-metric.ts";
import { errorFields } from "../base/describe-error.ts";
import { arrivalOf, type HttpRequest, type HttpResponse } from "../base/http/lambda.ts";
import { accepted, payloadTooLarge, unauthorized, unavailable } from "../base/http/respond.ts";
import { parseJson } from "../base/json.ts";
import { forRequest, type Hint, type Log, type LogFields } from "../base/log.ts";
import { identify } from "../events/identity.ts";
import { ownMoment } from "../events/own-moment.ts";
import type { Enqueue } from "../queue/enqueue.ts";
import type { Quarantine } from "../queue/quarantine.ts";
import { MessageTooLargeError, maxQueueBytes } from "../queue/queued-event.ts";
import type { NoticeAnomalies } from "./notice-anomalies.ts";
import { probeBody } from "./probe.ts";
import { type SenderRequest, type ServedApps, verifySender } from "./verify-sender.ts";

export type WebhookRequest = SenderRequest & Pick<HttpRequest, "text" | "arrivedAt">;

export interface ReceiverServices {
  readonly apps: ServedApps;
  readonly enqueue: Enqueue;
  readonly quarantine: Quarantine;
  readonly notice: NoticeAnomalies;
  readonly hint: Hint;
  readonly log: Log;
  readonly count: Count;
  readonly now: () => number;
  /** Maximum age of a delivery that must be signed. Default: 24 hours. */
  readonly replayMs?: number;
}

/**
 * The platform waits for 2 s (docs/internals/platform/webhooks.md#time-to-answer); 200 ms are for the
 * network.
 */
const answerWithinMs = 1_800;
/** Reserved for the queue: slower credentials cause a 503. */
const queueMs = 500;
/** Minimum, however long the cold start took: a late delivery is stored, even without an answer in time. */
const atLeastMs = 1_000;

const notStored = "could not store a delivery; the platform may send it again";

/**
 * Never throws: 503 if not stored in time, so that the platform sends it again, 413 if it can never be
 * stored. The largest known delivery has about 70 kB
 * (docs/internals/platform/webhooks.md#size-of-a-delivery).
 */
export async function receiveWebhook(
  request: WebhookRequest,
  services: ReceiverServices,
  requestId?: string,
): Promise<HttpResponse> {
  const { apps, enqueue, quarantine, notice, hint, now, replayMs = 86_400_000 } = services;
  const pathAppId = request.pathParameters.appId ?? "";
  const appId = apps.has(pathAppId) ? pathAppId : "unknown"; // invented ids must not fill the metrics
  let size = 0;
  const startedAt = now();
  const receivedAt = arrivalOf(request, startedAt);
  const deadlineMs = Math.max(receivedAt + answerWithinMs, startedAt + atLeastMs);
  const report = (level: "warn" | "error", message: string, metric: string, facts: LogFields) => {
    const { log, count } = forRequest(services, requestId);
    log[level](message, { appId, ...facts });
    count(metric, { appId });
  };
  const refuse = (why: string) => {
    const of = request.text === probeBody ? "unknown" : appId; // no delivery was lost
    hint("DeliveryUnauthorized", of, `refused deliveries: ${why}`);
    return unauthorized;
  };
  try {
    const sender = await verifySender(request, apps, deadlineMs - queueMs, true);
    if (sender === undefined) return refuse("app, username, password or signature is wrong");
    const { families, isReplaced, mustBeSigned } = sender;
    const bytes = await request.body;
    size = bytes.length;
    if (size > maxQueueBytes) throw new MessageTooLargeError("The body alone is too large.");

    const text = request.text ?? bytes.toString("utf8");
    if (text === probeBody) return accepted;
    const delivery = { appId, bytes, text, receivedAt, deadlineMs };
    const body = parseJson(text);
    // A signature covers the body alone, and stays valid: a caller that saw it could replay it.
    if (mustBeSigned && startedAt - ownMoment(body) > replayMs) return refuse("signed long ago");
    const identity = identify(body, appId);
    notice({ appId, isReplaced, body }, identity);
    if (identity === undefined) {
      const reason = body === undefined ? "not-json" : "no-envelope";
      await quarantine(delivery, reason);
      const message = "quarantined an unreadable delivery";
      report("warn", message, "DeliveryQuarantined", { reason, bytes: size });
    } else if (families.includes(identity.family)) await enqueue(delivery, identity);
    else {
      const message = "refused a delivery with the credentials of another family";
      report("warn", message, "DeliveryUnauthorized", { family: identity.family });
      return unauthorized;
    }
    return accepted;
  } catch (error) {
    if (error instanceof MessageTooLargeError) {
      report("warn", "refused a delivery that is too large", "DeliveryTooLarge", { bytes: size });
      return payloadTooLarge;
    }
    if (request.text === probeBody) return unavailable;
    report("error", notStored, "DeliveryNotStored", { ...errorFields(error) });
    return unavailable;
  }
}
