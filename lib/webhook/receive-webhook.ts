import type { Count } from "../count-metric.ts";
import { errorFields } from "../error-fields.ts";
import type { Enqueue } from "../event-queue/enqueue.ts";
import { MessageTooLargeError, maxQueueBytes } from "../event-queue/message-text.ts";
import type { Quarantine } from "../event-queue/quarantine.ts";
import { identify } from "../events/identity.ts";
import type { Hint } from "../hint.ts";
import type { HttpRequest, HttpResponse } from "../http/lambda.ts";
import { accepted, payloadTooLarge, unauthorized, unavailable } from "../http/respond.ts";
import { parseJson } from "../json.ts";
import type { Log } from "../log.ts";
import { forRequest } from "../process-log.ts";
import type { NoticeOddities } from "./notice-oddities.ts";
import { probeBody } from "./probe.ts";
import { type ServedApps, verifySender } from "./verify-sender.ts";

export interface ReceiverServices {
  readonly apps: ServedApps;
  readonly enqueue: Enqueue;
  readonly quarantine: Quarantine;
  readonly notice: NoticeOddities;
  readonly hint: Hint;
  readonly log: Log;
  readonly count: Count;
  readonly now: () => number;
}

/** The platform gives up after 2 s (docs/platform/webhooks.md#time-to-answer); 200 ms are for the way there and back. */
const answerWithinMs = 1_800;
/** Of that, what the queue has at least: credentials that take longer are a 503 in time. */
const queueMs = 500;
/**
 * What a request has at least, however long the function took to start: a delivery that is stored late is stored, though
 * the platform may not hear of it.
 */
const atLeastMs = 1_000;

/**
 * Takes one delivery of the platform: verify → identify → enqueue → 200. Whatever was answered with 200 is on a queue.
 * Never throws: what cannot be stored in time is answered 503, so that the platform sends it again, and what can never be
 * stored 413. The largest delivery known has about 70 kB (docs/platform/webhooks.md#size-of-a-delivery).
 * @param requestId AWS's id of the invocation, for log and metrics.
 */
export async function receiveWebhook(
  request: HttpRequest,
  services: ReceiverServices,
  requestId?: string,
): Promise<HttpResponse> {
  const { apps, enqueue, quarantine, notice, hint, now } = services;
  const pathAppId = request.pathParameters.appId ?? "";
  // A name that nobody serves is the caller's invention, and must not fill the metrics.
  const askedAppId = apps.has(pathAppId) ? pathAppId : "unknown";
  const bytes = request.body;
  const startedAt = now();
  const { arrivedAt = startedAt } = request;
  const deadlineMs = Math.max(Math.min(arrivedAt, startedAt) + answerWithinMs, startedAt + atLeastMs);
  // Made where something is told: most deliveries are none to tell of.
  const told = () => forRequest(services, requestId);
  try {
    const sender = await verifySender(request, apps, deadlineMs - queueMs);
    if (sender === undefined) {
      hint(
        "DeliveryUnauthorized",
        askedAppId,
        "refused deliveries: app, username, password or signature is wrong",
      );
      return unauthorized;
    }
    const { appId, families, isReplaced } = sender;
    if (bytes.length > maxQueueBytes) throw new MessageTooLargeError("The body alone is too large.");

    const text = request.text ?? bytes.toString("utf8");
    if (text === probeBody) return accepted;
    const delivery = { appId, bytes, text, receivedAt: now(), deadlineMs };
    const body = parseJson(text);
    const identity = identify(body, appId);
    notice({ appId, isReplaced, body }, identity);
    if (identity === undefined) {
      const reason = body === undefined ? "not-json" : "no-envelope";
      await quarantine(delivery, reason);
      const { log, count } = told();
      log.warn("put an unreadable delivery into quarantine", { appId, reason, bytes: bytes.length });
      count("DeliveryQuarantined", { appId });
      return accepted;
    }

    if (!families.has(identity.family)) {
      const { log, count } = told();
      log.warn("refused a delivery with the credentials of another family", {
        appId,
        family: identity.family,
      });
      count("DeliveryUnauthorized", { appId });
      return unauthorized;
    }

    await enqueue(delivery, identity);
    return accepted;
  } catch (error) {
    const { log, count } = told();
    if (error instanceof MessageTooLargeError) {
      log.warn("refused a delivery that is too large", { appId: askedAppId, bytes: bytes.length });
      count("DeliveryTooLarge", { appId: askedAppId });
      return payloadTooLarge;
    }
    log.error("could not store a delivery; the platform may send it again", {
      appId: askedAppId,
      ...errorFields(error),
    });
    count("DeliveryNotStored", { appId: askedAppId });
    return unavailable;
  }
}
