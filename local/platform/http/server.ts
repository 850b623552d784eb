import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { PlatformError, toErrorEnvelope, toPlainEnvelope } from "../errors/platform-error.ts";
import type { FaultControl } from "../faults/control.ts";
import type { RequestFault } from "../faults/rules.ts";
import type { Fidelity } from "../fidelity.ts";
import { defined } from "../json.ts";
import { currentRequest } from "../services/records.ts";
import type { Services } from "../services/services.ts";
import { callerOf, resolveAddress } from "./address.ts";
import { type AccessCheck, answerRequest, type IncomingRequest } from "./answer-request.ts";
import type { ClientConnection } from "./client-connection.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { AppRoute, ManagementRoute } from "./route.ts";

type ServerParts = {
  services: Services;
  faults: FaultControl;
  limits: RateLimits;
  checkAccess: AccessCheck;
  routes: readonly (AppRoute | ManagementRoute)[];
};

const callerHeaders = ["onbehalfof", "user-agent", "traceparent", "x-local-invocation"];
const fidelityHeader = "x-platform-fidelity";

export function createServer(parts: ServerParts): Hono {
  let requests = 0;
  const answer = (context: Context, route?: IncomingRequest["route"]) => {
    const address = addressOf(context.req.raw);
    return run(parts, { context, address, route, limits: parts.limits, answerHeaders: {} }, ++requests);
  };
  const app = new Hono({
    getPath(request) {
      const { surface, path } = addressOf(request);
      return surface === "platform" ? path : `/${surface}${path}`;
    },
  });
  for (const route of ordered(parts.routes)) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    app.on(route.method, `/${route.surface}${path}`, (context) => answer(context, route));
  }
  app.notFound((context) => answer(context));
  return app;
}

async function run(parts: ServerParts, incoming: IncomingRequest, requestId: number) {
  const startedMs = performance.now();
  const { services, faults } = parts;
  const { context, route, address } = incoming;
  const { method } = context.req;
  const [onBehalfOf, userAgent, traceparent, invocation] = callerHeaders.map((name) =>
    context.req.header(name),
  );
  const appId = "appId" in address ? address.appId : undefined;
  const operationId = route?.operationId;
  const caller = callerOf({ userAgent, traceparent, invocation });
  const fault = faults.onRequest({ appId, operationId, method, path: address.path, caller });
  const about = fault && describeFault(fault);
  if (about !== undefined) {
    const said = { target: `${method} ${address.path}`, ruleId: fault?.ruleId, fault: about };
    services.records.emit(() => ({ type: "fault", appId, ...said }));
  }
  const outcome = await currentRequest.run(requestId, () => settle(parts, incoming, fault));
  const answer = fault?.answer ?? (outcome.status === 0 ? "" : JSON.stringify(outcome.body));
  services.records.emit(() => ({
    type: "request",
    requestId,
    appId,
    method,
    path: pathAndQueryOf(context.req.url),
    operationId,
    onBehalfOf,
    userAgent,
    traceparent,
    invocation,
    status: outcome.status,
    code: outcome.code,
    fault: about,
    fidelity: outcome.fidelity,
    durationMs: performance.now() - startedMs,
    exchange: () => ({ sent: incoming.sent?.rawBody, sentType: incoming.sent?.contentType ?? "", answer }),
  }));
  return await sendWithFault(context, fault, {
    status: outcome.status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      [fidelityHeader]: outcome.fidelity,
      ...incoming.answerHeaders,
      ...outcome.headers,
    },
    text: answer,
  });
}

/** `status` 0: the connection was dropped before an answer. */
type Outcome = {
  status: number;
  body: object;
  fidelity: Fidelity;
  code?: string;
  headers?: Record<string, string>;
};

async function settle(
  { services, checkAccess }: ServerParts,
  incoming: IncomingRequest,
  fault: RequestFault = {},
): Promise<Outcome> {
  const { fidelity = "assumed" } = incoming.route ?? {};
  try {
    await strike(services, fault);
    if (fault.connection === "dropBefore") return { status: 0, body: {}, fidelity: "assumed" };
    if (fault.answer !== undefined) return { status: 200, body: {}, fidelity };
    const { status, body } = await answerRequest(services, incoming, checkAccess);
    return { status, body, fidelity };
  } catch (error) {
    const isPlain = services.switches.agentErrorForm === "plain";
    return toFailure(error, isPlain && incoming.address.path.startsWith("/ai-agents/"));
  }
}

function describeFault({ connection, code, answer, delayMs }: RequestFault) {
  if (answer !== undefined) return "refused in a 200";
  return connection ?? (code === undefined ? `latency ${delayMs ?? 0} ms` : `refused with ${code}`);
}

function toFailure(error: unknown, isPlain: boolean): Outcome {
  const known =
    error instanceof PlatformError
      ? error
      : new PlatformError("ERR_EXCEPTION", "An unhandled exception occurred.", {
          devMessage: error instanceof Error ? error.message : String(error),
        });
  const { status, code, extra } = known;
  const fidelity = code === "AUTH_ERR_APIKEY_NOT_FOUND" ? "live" : "assumed";
  const body = isPlain ? toPlainEnvelope(known) : toErrorEnvelope(known);
  return { status, body, fidelity, code, headers: extra.headers ?? {} };
}

function addressOf(request: Request) {
  const [url = ""] = pathAndQueryOf(request.url).split(/[?#]/);
  // A request without a socket has no Host header.
  return resolveAddress(request.headers.get("host") ?? new URL(request.url).host, url);
}

function pathAndQueryOf(url: string) {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

// `/conversations/pinned` must win over `/conversations/{conversationId}`.
function ordered<T extends { path: string }>(routes: readonly T[]) {
  const specificity = ({ path }: T) =>
    path.split("/").reduce((total, part) => total * 2 + (part.startsWith("{") ? 0 : 1), 0);
  return routes.toSorted((left, right) => specificity(right) - specificity(left));
}

async function strike(
  { clock, latencyClock }: Services,
  { delayMs, code, status, retryAfterSeconds }: RequestFault,
) {
  if (delayMs !== undefined) {
    const dueMs = latencyClock.now() + delayMs;
    await new Promise<void>((resolve) => void latencyClock.schedule(dueMs, resolve));
  }
  if (code === undefined) return;
  throw new PlatformError(code, "A fault was planned for this call.", {
    ...defined({ status }),
    ...(retryAfterSeconds !== undefined && {
      headers: {
        "retry-after": String(retryAfterSeconds),
        "x-rate-limit-reset": String(Math.ceil(clock.now() / 1_000) + retryAfterSeconds),
      },
    }),
  });
}

async function sendWithFault(
  context: Context,
  fault: RequestFault | undefined,
  { status, headers, text }: Parameters<ClientConnection["sendHalf"]>[0],
) {
  if (fault?.connection === undefined) {
    return new Response(bodiless.includes(status) ? null : text, { status, headers });
  }
  const connection: ClientConnection = context.env.connection;
  if (fault.connection === "hang") await connection.untilClosed();
  else if (fault.connection === "truncate") connection.sendHalf({ status, headers, text });
  else connection.drop();
  return RESPONSE_ALREADY_SENT;
}

const bodiless: readonly number[] = [204, 205, 304];
