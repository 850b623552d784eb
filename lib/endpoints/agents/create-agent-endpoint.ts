import * as z from "zod/mini";
import type { SecretFields } from "../../aws/secrets/parse-secret.ts";
import type { Count } from "../../base/count-metric.ts";
import { rememberSecret } from "../../base/known-secrets.ts";
import { lazy } from "../../base/lazy.ts";
import { createErrorLog, createHint, type Log } from "../../base/log.ts";
import { aFunctionGiven, aLogGiven, checkCall } from "../../chat/check-call.ts";
import { MessageTooLargeError } from "../../queue/queued-event.ts";
import { readBody } from "../../receive/read-body.ts";
import type { OwnServices } from "../own/build-own-services.ts";
import { bodyTooLarge, serviceUnavailable } from "../own/refusal.ts";
import type { OwnContext } from "../own/request-definition.ts";
import type { AgentAnswer, AgentInput } from "./agent-run.ts";
import { type AgentHandler, answerAgentRun, type RunResponse } from "./answer-agent-run.ts";

/** A run on another host than Lambda. */
export interface HostedAgentRun
  extends AgentInput,
    AgentAnswer,
    Pick<OwnContext, "log" | "signal" | "deadlineMs" | "now"> {}

/** Options of `createAgentEndpoint`. */
export interface AgentEndpointOptions {
  /** What the platform sends: HTTP Basic, or the key as `X-API-Key` or as a Bearer token. */
  readonly credentials: { readonly username: string; readonly password: string } | { readonly key: string };
  readonly handler: AgentHandler<HostedAgentRun>;
  /** The longest time of a run in milliseconds. Default: 300,000. */
  readonly limitMs?: number;
  /** May be `console`. Default: warnings and errors as lines of JSON on standard error. */
  readonly log?: Log;
  /** Counts refusals and failures. Default: none. */
  readonly count?: Count;
  /** Default: Date.now. */
  readonly now?: () => number;
}

/**
 * Creates an AG-UI endpoint for any host with `Request` and `Response`, which streams the answer: 401 for
 * wrong credentials, 413 for more than 1 MiB, 400 for a body that is no run, 503 for an incomplete one; a
 * failing handler ends the stream with an error event. The handler's `signal` is aborted when the host
 * cancels the response or aborts the request.
 * @throws InvalidInputError for a wrong or unknown option
 * @example const answer = createAgentEndpoint({ credentials: { key }, handler: async (run) => { await
 * run.say("Hello") } }); app.post("/agent", (c) => answer(c.req.raw)); // Hono
 */
export function createAgentEndpoint(options: AgentEndpointOptions): (request: Request) => Promise<Response> {
  checkCall("createAgentEndpoint", "options", optionsSchema(), options);
  const { handler, limitMs = 300_000, now = Date.now } = options;
  const services = servicesOf(options, now);
  return async (request) => {
    const deadlineMs = now() + limitMs;
    const whole = { method: request.method, headers: Object.fromEntries(request.headers) };
    const given = { ...whole, body: Buffer.alloc(0), query: {}, pathParameters: {}, sourceIp: "" };
    const read = () => readBody(request, deadlineMs, now).catch(refuse);
    const answer = await answerAgentRun(given, handler, services, limitMs, read);
    return toResponse(answer, request.signal);
  };
}

function refuse(error: unknown): never {
  throw error instanceof MessageTooLargeError
    ? bodyTooLarge()
    : Object.assign(serviceUnavailable(), { cause: error });
}

const optionsSchema = /* @__PURE__ */ lazy(() => {
  const text = z.string().check(z.minLength(1));
  const credentials = [z.strictObject({ username: text, password: text }), z.strictObject({ key: text })];
  return z.strictObject({
    credentials: z.union(credentials),
    handler: aFunctionGiven(),
    limitMs: z.optional(z.int().check(z.gte(1))),
    log: z.optional(aLogGiven()),
    count: z.optional(aFunctionGiven()),
    now: z.optional(aFunctionGiven()),
  });
});

/** One app, with the credentials as its secret. */
function servicesOf(options: AgentEndpointOptions, now: () => number): OwnServices {
  const { credentials, count = () => {} } = options;
  const log = options.log ?? createErrorLog(now, "agent");
  for (const [name, text] of Object.entries(credentials)) if (name !== "username") rememberSecret(text);
  const fields: Readonly<Record<string, string>> =
    "key" in credentials
      ? { agentKey: credentials.key }
      : { agentUsername: credentials.username, agentPassword: credentials.password };
  const optionalText = (name: string) => fields[name];
  const secret: SecretFields = { optionalText, text: (name) => optionalText(name) ?? "" };
  const get = async () => secret;
  const using = () => {
    throw new Error("A run on this host has no client of the platform: create one.");
  };
  return {
    access: {
      appIds: ["agent"],
      open: async (appId) => ({ app: { appId, region: "" }, chat: { using } }),
      secretOf: () => ({ get, refresh: get }),
    },
    takeTurn: () => undefined,
    log,
    count,
    now,
    hint: createHint({ log, count, now }),
  };
}

function toResponse({ status, headers, body }: RunResponse, asked: AbortSignal): Response {
  if (typeof body === "string") return new Response(body, { status, headers });
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const writer = writable.getWriter();
  const left = new AbortController();
  writer.closed.catch(() => left.abort());
  const gone = AbortSignal.any([asked, left.signal]);
  const encoder = new TextEncoder();
  void body((text) => writer.write(encoder.encode(text)), gone)
    .then(() => (gone.aborted ? writer.abort() : writer.close()))
    .catch(() => undefined);
  return new Response(readable, { status, headers });
}
