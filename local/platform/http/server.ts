import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { PlatformError, toErrorEnvelope, toPlainEnvelope } from "../errors/platform-error.ts";
import type { FaultControl } from "../faults/control.ts";
import type { RequestFault } from "../faults/rules.ts";
import type { Fidelity } from "../fidelity.ts";
import { defined } from "../json.ts";
import { currentRequest } from "../services/records.ts";
import type { Services } from "../services/services.ts";
import { resolveAddress } from "./address.ts";
import { answerRequest, type IncomingRequest, type Target } from "./answer-request.ts";
import { callerOf } from "./caller-of.ts";
import type { ClientConnection, WrittenAnswer } from "./client-connection.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { AccessCheck, AppRoute, ManagementRoute } from "./route.ts";

type ServerParts = {
  services: Services;
  appRoutes: readonly AppRoute[];
  managementRoutes: readonly ManagementRoute[];
  /** Pages and streams under `/_platform`. */
  addPlatformPages(app: Hono): void;
  /** Runs before every route of an app, with a known actor. */
  checkAccess: AccessCheck;
  faults: FaultControl;
  limits: RateLimits;
};

const fidelityHeader = "x-platform-fidelity";

/** One table of declared routes per surface. */
export function createServer(given: ServerParts): Hono {
  let requests = 0;
  const parts = { ...given, nextRequestId: () => ++requests };
  const app = new Hono({
    getPath(request) {
      const { surface, path } = addressOf(request);
      return surface === "platform" ? path : `/${surface}${path}`;
    },
  });
  const ordered = <T extends { path: string }>(routes: readonly T[]) =>
    routes.toSorted((left, right) => specificity(right.path) - specificity(left.path));
  for (const route of ordered(parts.appRoutes)) {
    app.on(route.method, `/${route.surface ?? "chat"}${honoPath(route.path)}`, (context) =>
      run(parts, context, { kind: "app", route }),
    );
  }
  for (const route of ordered(parts.managementRoutes)) {
    app.on(route.method, `/management${honoPath(route.path)}`, (context) =>
      run(parts, context, { kind: "management", route }),
    );
  }
  parts.addPlatformPages(app);
  app.notFound((context) => run(parts, context, { kind: "unknown" }));
  return app;
}

type RunParts = ServerParts & { nextRequestId(): number };

async function run(parts: RunParts, context: Context, target: Target) {
  const startedMs = performance.now();
  const { services, limits } = parts;
  const route = target.kind === "unknown" ? undefined : target.route;
  const address = addressOf(context.req.raw);
  const appId = "appId" in address ? address.appId : undefined;
  const operationId = route?.operationId;
  const { method } = context.req;
  const caller = callerOf(context.req.header("user-agent"), context.req.header("traceparent"));
  const fault = parts.faults.onRequest({ appId, operationId, method, path: address.path, caller });
  if (fault !== undefined) {
    const { ruleId } = fault;
    const target = `${method} ${address.path}`;
    services.records.emit(() => ({ type: "fault", appId, target, ruleId, fault: describeFault(fault) }));
  }

  const answerHeaders: Record<string, string> = {};
  const incoming: IncomingRequest = { context, address, target, limits, answerHeaders };
  const requestId = parts.nextRequestId();
  const record = (outcome: Outcome, answer: string) => {
    services.records.emit(() => ({
      type: "request",
      requestId,
      appId,
      method,
      path: pathAndQueryOf(context.req.url),
      operationId,
      onBehalfOf: context.req.header("onbehalfof"),
      userAgent: context.req.header("user-agent"),
      traceparent: context.req.header("traceparent"),
      status: outcome.status,
      code: outcome.code,
      fault: fault && describeFault(fault),
      fidelity: outcome.fidelity,
      durationMs: performance.now() - startedMs,
      exchange: () => ({ sent: incoming.sent?.rawBody, sentType: incoming.sent?.contentType ?? "", answer }),
    }));
  };
  let outcome: Outcome;
  try {
    if (fault !== undefined) await applyRequestFault(services, context, fault);
    const { status, body } =
      fault?.answer === undefined
        ? await currentRequest.run(requestId, () => answerRequest(parts, incoming))
        : { status: 200, body: {} };
    outcome = { status, body, fidelity: route?.fidelity ?? "assumed", headers: {} };
  } catch (error) {
    if (error instanceof ConnectionDropped) {
      record({ status: 0, body: {}, fidelity: "assumed", headers: {} }, "");
      return RESPONSE_ALREADY_SENT;
    }
    outcome = toFailure(
      error,
      address.path.startsWith("/ai-agents/") && services.switches.agentErrorForm === "plain",
    );
  }
  const text = fault?.answer ?? JSON.stringify(outcome.body);
  record(outcome, text);
  return await sendWithFault(context, fault, {
    status: outcome.status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      [fidelityHeader]: outcome.fidelity,
      ...answerHeaders,
      ...outcome.headers,
    },
    text,
  });
}

type Outcome = {
  status: number;
  body: object;
  fidelity: Fidelity;
  code?: string;
  headers: Record<string, string>;
};

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
  return {
    status: known.status,
    body: isPlain ? toPlainEnvelope(known) : toErrorEnvelope(known),
    fidelity: known.code === "AUTH_ERR_APIKEY_NOT_FOUND" ? "live" : "assumed",
    code: known.code,
    headers: known.headers,
  };
}

function addressOf(request: Request) {
  const url = pathAndQueryOf(request.url);
  const end = url.search(/[?#]/);
  // A request that came over no socket has no Host header; its address names the host.
  const host = request.headers.get("host") ?? new URL(request.url).host;
  return resolveAddress(host, end === -1 ? url : url.slice(0, end));
}

function pathAndQueryOf(url: string) {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

function honoPath(path: string) {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

// `/conversations/pinned` has to win over `/conversations/{conversationId}`.
function specificity(path: string) {
  return path.split("/").reduce((total, part) => total * 2 + (part.startsWith("{") ? 0 : 1), 0);
}

/** @throws PlatformError the refusal, @throws ConnectionDropped if the fault closed the connection */
async function applyRequestFault({ clock }: Services, context: Context, fault: RequestFault) {
  if (fault.delayMs !== undefined) {
    const dueMs = clock.now() + fault.delayMs;
    await new Promise<void>((resolve) => void clock.schedule(dueMs, resolve));
  }
  if (fault.connection === "dropBefore") {
    connectionOf(context).drop();
    throw new ConnectionDropped();
  }
  if (fault.code !== undefined) {
    throw new PlatformError(fault.code, "A fault was planned for this call.", {
      ...defined({ status: fault.status }),
      ...(fault.retryAfterSeconds !== undefined && {
        headers: {
          "retry-after": String(fault.retryAfterSeconds),
          "x-rate-limit-reset": String(Math.ceil(clock.now() / 1_000) + fault.retryAfterSeconds),
        },
      }),
    });
  }
}

class ConnectionDropped extends Error {
  constructor() {
    super("A planned fault closed the connection.");
    this.name = "ConnectionDropped";
  }
}

async function sendWithFault(context: Context, fault: RequestFault | undefined, answer: WrittenAnswer) {
  if (fault?.connection === undefined || fault.connection === "dropBefore") {
    return new Response(bodiless.includes(answer.status) ? null : answer.text, {
      status: answer.status,
      headers: answer.headers,
    });
  }
  const connection = connectionOf(context);
  if (fault.connection === "dropAfter") connection.drop();
  if (fault.connection === "hang") await connection.untilClosed();
  if (fault.connection === "truncate") connection.sendHalf(answer);
  return RESPONSE_ALREADY_SENT;
}

/** Statuses with which a Response takes no body, not even an empty one. */
const bodiless: readonly number[] = [204, 205, 304];

function connectionOf(context: Context): ClientConnection {
  return context.env.connection;
}
