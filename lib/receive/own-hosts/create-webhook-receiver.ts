import * as z from "zod/mini";
import type { Count } from "../../base/count-metric.ts";
import type { HttpResponse } from "../../base/http/lambda.ts";
import { notFound, unavailable, wrongMethod } from "../../base/http/respond.ts";
import { lazy } from "../../base/lazy.ts";
import { createErrorLog, createHint, type Log, type ProcessLog } from "../../base/log.ts";
import { aFunctionGiven, aLogGiven, checkCall } from "../../chat/check-call.ts";
import { readPlainly } from "../../chat/check-plain.ts";
import type { Identity } from "../../events/identity.ts";
import { describeProblems } from "../../events/problems.ts";
import { beforeDeadline } from "../before-deadline.ts";
import { createNoticeAnomalies } from "../notice-anomalies.ts";
import { readBody } from "../read-body.ts";
import { receiveWebhook } from "../receive-webhook.ts";
import { createAcceptedApps, type WebhookAccess, type WebhookAccessSource } from "./accepted-apps.ts";
import { arrivals } from "./arrivals.ts";
import { neverThrowing } from "./safe-log.ts";
import { toWebhookDelivery } from "./to-webhook-delivery.ts";
import type { UnreadDelivery, WebhookDelivery, WebhookStore } from "./webhook-store.ts";

/** Options of `createWebhookReceiver`. */
export interface WebhookReceiverOptions {
  /** Apps by id; at least one. */
  readonly apps: Readonly<Record<string, WebhookAccess | WebhookAccessSource>>;
  /** Stores each delivery before it is acknowledged. */
  readonly store: WebhookStore;
  /** Whole path of requests; `{appId}` may be omitted for one app. Default: `/webhooks/{appId}`. */
  readonly path?: string;
  /** May be `console`. Default: warnings and errors as lines of JSON on standard error. */
  readonly log?: Log;
  /** Counts refusals and anomalies. Default: none. */
  readonly count?: Count;
  /** Milliseconds since 1970. Default: Date.now. */
  readonly now?: () => number;
}

/** Answers a request. Rejects only with an InvalidInputError, if it is not a `Request`. */
export type WebhookReceiver = (request: Request) => Promise<Response>;

/**
 * Creates a receiver of the platform's webhooks for any host with `Request` and `Response`. It answers within
 * 1.8 s, because the platform waits for 2 s (docs/internals/platform/webhooks.md#time-to-answer): 200 if the
 * store has the delivery, readable or not, 401 for wrong credentials, 413 for more than 1 MiB, 503 if not
 * stored, so that the platform sends it again; 404 and 405 for other requests.
 * @throws WebhookAccessError if there is no app or an app has no credentials, RangeError for an invalid path,
 * TypeError if there is no store, Error if the host lacks Node's `Buffer` or `node:crypto`,
 * InvalidInputError for any other wrong or unknown option
 * @example const receive = createWebhookReceiver({ apps: { [appId]: { credentials: [{ username, password }] }
 * }, store }); app.post("/webhooks/:appId", (c) => receive(c.req.raw)); // Hono
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  checkHost();
  checkCall("createWebhookReceiver", "options", optionsSchema(), options);
  const { apps, store, path = "/webhooks/{appId}", now = Date.now } = options;
  if (!readPlainly("createWebhookReceiver", "store", () => typeof store?.put === "function")) {
    throw new TypeError("A receiver needs a `store`, which has a function `put`.");
  }
  const { log, count } = neverThrowing(options.log ?? createErrorLog(now), options.count);
  const hint = createHint({ log, count, now });
  const notice = createNoticeAnomalies({ log, count, now });
  const served = createAcceptedApps(apps, now);
  const appOfPath = createAppOfPath(path, Object.keys(apps));

  const put = async (delivery: WebhookDelivery, deadlineMs: number) => {
    const putting = async () => store.put(delivery, { deadlineMs });
    await beforeDeadline(putting(), deadlineMs, now);
  };
  const services = {
    apps: served,
    notice,
    hint,
    log,
    count,
    now,
    enqueue: async (received, identity) => {
      const delivery = toWebhookDelivery(received, identity);
      await put(delivery, deadlineOf(received));
      if (delivery.event === undefined) reportNotUnderstood(delivery, identity, { log, count });
    },
    quarantine: async (received) => put(toWebhookDelivery(received, undefined), deadlineOf(received)),
  } satisfies Parameters<typeof receiveWebhook>[1];
  const deadlineOf = ({ deadlineMs }: { deadlineMs?: number | undefined }) => deadlineMs ?? now();

  const answer = async (request: Request): Promise<HttpResponse> => {
    const { pathname } = new URL(request.url);
    const appId = appOfPath(pathname);
    if (appId === undefined) {
      const facts = { path, cameTo: shownPath(pathname) };
      hint("DeliveryAtWrongPath", "unknown", "a request has a path that this receiver does not serve", facts);
      return notFound;
    }
    if (request.method !== "POST") return wrongMethod;
    return receiveWebhook(toIncoming(request, appId, now), services);
  };

  return async (request) => {
    // Another type of request would always be answered 503.
    checkCall("the receiver", "request", requestSchema(), request);
    return answer(request)
      .catch(() => unavailable)
      .then(toResponse);
  };
}

function reportNotUnderstood(
  { appId, problems }: UnreadDelivery,
  { trigger, key }: Identity,
  { log, count }: ProcessLog,
): void {
  const facts = { appId, trigger, deliveryKey: key, problems: describeProblems(problems) };
  log.warn("stored an event that cannot be understood", facts);
  count("DeliveryQuarantined", { appId });
}

/** Reads the body only when needed. */
function toIncoming(request: Request, appId: string, now: () => number) {
  const startedAt = now();
  const body = lazy(() => readBody(request, startedAt + bodyMs, now));
  return {
    headers: Object.fromEntries(request.headers),
    pathParameters: { appId },
    arrivedAt: arrivals.get(request) ?? startedAt,
    get body() {
      return body();
    },
  };
}

/** Without segments that may be a secret: long ones or with digits. At most 100 characters. */
function shownPath(pathname: string): string {
  const shown = pathname.replace(/[^/]+/g, (segment) => (/^[a-z._-]{1,12}$/i.test(segment) ? segment : "…"));
  return shown.length > 100 ? `${shown.slice(0, 100)}…` : shown;
}

/**
 * Requires Node's parts, which Workers have only with a flag
 * (https://developers.cloudflare.com/workers/runtime-apis/nodejs/).
 */
function checkHost(): void {
  if (typeof Buffer !== "undefined" && typeof process !== "undefined" && "getBuiltinModule" in process)
    return;
  throw new Error(
    "The receiver of cometchat-functions/webhook needs Node's Buffer and node:crypto: on Cloudflare Workers, set the compatibility flag nodejs_compat.",
  );
}

const requestSchema = /* @__PURE__ */ lazy(() =>
  z.custom<unknown>(
    (value) =>
      Object(value) === value &&
      ["url", "method"].every((name) => typeof Reflect.get(Object(value), name) === "string") &&
      Symbol.iterator in Object(Reflect.get(Object(value), "headers")),
    "a Request: toNodeHandler makes one of what Express and node:http hand over, toLambdaHandler of a Lambda event",
  ),
);

const optionsSchema = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    apps: z.unknown(),
    store: z.unknown(),
    path: z.optional(z.string()),
    log: z.optional(aLogGiven()),
    count: z.optional(aFunctionGiven()),
    now: z.optional(aFunctionGiven()),
  }),
);

/** The store has the rest of the 1.8 s. */
const bodyMs = 1_300;

function toResponse(response: HttpResponse): Response {
  const headers = new Headers({ "content-type": "application/json" });
  if (response === wrongMethod) headers.set("allow", "POST");
  return new Response(response.body, { status: response.status, headers });
}

type AppOfPath = (pathname: string) => string | undefined;

const placeholder = "{appId}";

/**
 * @param path such as `/webhooks/{appId}`; `{appId}` may be omitted for one app
 * @throws RangeError if the path does not begin with a slash, cannot occur, or does not distinguish several
 * apps
 */
function createAppOfPath(path: string, appIds: readonly string[]): AppOfPath {
  if (!path.startsWith("/")) throw new RangeError(`The path "${path}" must begin with a slash.`);
  // Hosts write `:appId`, which this does not support.
  const example = path.replace(placeholder, "app");
  const isPath = URL.canParse(`http://localhost${example}`);
  if (!isPath || new URL(`http://localhost${example}`).pathname !== example || path.includes("/:")) {
    throw new RangeError(`The path "${path}" is not valid: write {appId} for the app, and encode the rest.`);
  }
  const [before = "", after, ...others] = path.split(placeholder);
  if (after === undefined) {
    const [onlyApp] = appIds;
    if (appIds.length === 1) return (pathname) => (pathname === path ? onlyApp : undefined);
    throw new RangeError(`The path "${path}" must hold {appId}, as there are ${appIds.length} apps.`);
  }
  if (others.length > 0) throw new RangeError(`The path "${path}" holds {appId} twice.`);
  return (pathname) => {
    if (!pathname.startsWith(before) || !pathname.endsWith(after)) return undefined;
    const middle = pathname.slice(before.length, pathname.length - after.length);
    return middle === "" || middle.includes("/") ? undefined : decode(middle);
  };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
