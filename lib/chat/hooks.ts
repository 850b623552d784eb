import { isRecord, parseJson } from "../base/json.ts";
import { mask, redact } from "../base/known-secrets.ts";
import { isError } from "../base/realm.ts";
import { withTimeout } from "../base/timers.ts";
import { unlessAborted } from "../base/unless-aborted.ts";
import { userAgent } from "../base/user-agent.ts";
import { InvalidInputError, type UnreachablePhase } from "./errors.ts";
import { type Answer, type AroundTry, codeOf, type Try } from "./fetch-once.ts";
import { quietly } from "./given-parts.ts";
import type { AnswerHeaders } from "./lean-fetch.ts";
import { isSecretName, readOwnHeaders, secretsIn } from "./prepare-request.ts";
import { isFieldBag } from "./schema.ts";
import { requestIdOf } from "./send-request.ts";

/** Options to observe requests. A small client's methods do not include them. */
export interface ListeningOptions {
  /** Called around each try. Default: none. */
  readonly hooks?: ChatHooks | undefined;
  /** Gets one line per try, for debugging; `console` fits. No URL, header or body. Default: none. */
  readonly log?: ChatLog | undefined;
  /** Appended to the user-agent header, for instance `my-app/1.2`. */
  readonly userAgent?: string | undefined;
}

/** A destination of debug lines. */
export interface ChatLog {
  /** One line, without a line break; its errors are ignored. */
  debug(line: string): void;
}

/** Callbacks around each try. The client waits for each, at most the try's time limit. */
export interface ChatHooks {
  /**
   * May add headers. If it throws, nothing is sent and the call fails with its error. If it takes too long,
   * the try counts as not sent.
   */
  readonly beforeRequest?: ((request: OutgoingTry) => AddedHeaders | Promise<AddedHeaders>) | undefined;
  /** If it throws, the call goes on, because the platform has acted, and `log` reports the error. */
  readonly afterResponse?: ((request: OutgoingTry, outcome: TryOutcome) => unknown) | undefined;
}

/** The client refuses headers that it sets itself. */
export type AddedHeaders = { readonly headers?: Readonly<Record<string, string>> | undefined } | undefined;

/** A read-only copy of a try without credentials. */
export interface OutgoingTry {
  /** The operation's id in the platform's catalogue, for instance `send-message`. */
  readonly operation: string;
  /** Begins at 1. */
  readonly attempt: number;
  readonly method: string;
  readonly url: string;
  /** The headers of this call, not of the client. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined without a body or for a form. */
  readonly body: string | undefined;
  readonly onBehalfOf: string | undefined;
}

/** The result of a try. */
export interface TryOutcome {
  /** The HTTP status; undefined without a usable answer. */
  readonly status: number | undefined;
  /** The platform's code, the socket's, TIMEOUT or ABORTED; undefined on success. */
  readonly code: string | undefined;
  /** Where a try without a usable answer ended. */
  readonly phase: UnreachablePhase | undefined;
  readonly requestId: string | undefined;
  readonly durationMs: number;
  /** Excludes credentials. Empty without an answer. */
  readonly headers: AnswerHeaders;
}

/** @returns undefined without hooks and log */
export function listenToTries(
  { hooks = {}, log, userAgent: suffix }: ListeningOptions,
  now: () => number = Date.now,
): AroundTry | undefined {
  if (!hooks.beforeRequest && !hooks.afterResponse && !log && suffix === undefined) return undefined;
  const agent = suffix === undefined ? {} : { "user-agent": `${userAgent()} ${suffix}` };

  return async (one, go) => {
    const clean = (text: string) => redact(text, one.secrets);
    const logLine = (text: () => string) =>
      quietly(() => log?.debug(clean(`chat ${one.request.operation}: ${text()}`).replace(/\s+/g, " ")));
    const shown = hooks.beforeRequest || hooks.afterResponse ? show(one) : undefined;
    const before = () => unlessAborted(one.send.signal, async () => shown && hooks.beforeRequest?.(shown));
    const added = shown && (await withTimeout(before, one.limitMs(), () => tooSlow));
    if (added === tooSlow) return { kind: "silence", phase: "wait", reason: "HOOK_TIMEOUT" };
    const headers = { ...readAdded(one.request.operation, added), ...agent };
    for (const secret of secretsIn(headers)) one.secrets.add(secret);

    const startedMs = now();
    const report = async (facts: Omit<TryOutcome, "durationMs">) => {
      const durationMs = now() - startedMs;
      logLine(() => lineOf(facts, durationMs, one.count));
      if (!shown || !hooks.afterResponse) return;
      const after = async () => hooks.afterResponse?.(shown, { ...facts, durationMs });
      await withTimeout(after, one.limitMs(), () => tooSlow).then(
        (given) => given === tooSlow && logLine(() => "afterResponse took too long"),
        (error: unknown) => logLine(() => `afterResponse threw ${describe(error)}`),
      );
    };

    try {
      const answer = await go(headers);
      await report(factsOf(answer, one.secrets));
      return answer;
    } catch (error) {
      // The caller does not wait for the hook.
      void report({ ...noFacts, code: "ABORTED" });
      throw error;
    }
  };
}

/** Removes secrets by value, and fields with secret names. */
function show({ request, url, send, count, secrets }: Try): OutgoingTry {
  const clean = (text: string) => redact(text, secrets);
  const own = Object.entries(send.headers ?? {}).map(([name, value]) => [
    name,
    isSecretName(name) ? mask : clean(value),
  ]);
  return Object.freeze({
    operation: clean(request.operation),
    attempt: count,
    method: request.method,
    url: clean(url),
    headers: Object.freeze(Object.fromEntries(own)),
    body:
      typeof request.body === "string"
        ? clean(JSON.stringify(maskSecrets(parseJson(request.body))))
        : undefined,
    onBehalfOf: request.onBehalfOf,
  });
}

function maskSecrets(value: unknown, isSecret = false): unknown {
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, isSecret));
  if (isRecord(value)) {
    const fields = Object.entries(value).map(([name, inner]) => [
      name,
      maskSecrets(inner, isSecret || isSecretName(name)),
    ]);
    return Object.fromEntries(fields);
  }
  return isSecret && (typeof value === "string" || typeof value === "number") ? mask : value;
}

function readAdded(operation: string, added: unknown): Record<string, string> {
  const field = "hooks.beforeRequest";
  if (added === undefined) return {};
  const headers = isRecord(added) ? (added.headers ?? {}) : undefined;
  if (isFieldBag(headers)) return readOwnHeaders(operation, headers, `${field}.headers`);
  throw new InvalidInputError(operation, field, "a function that gives { headers } or nothing");
}

const noFacts: Omit<TryOutcome, "durationMs"> = {
  status: undefined,
  code: undefined,
  phase: undefined,
  requestId: undefined,
  headers: { get: () => null },
};

function factsOf(answer: Answer, secrets: Iterable<string>): Omit<TryOutcome, "durationMs"> {
  if (answer.kind === "silence") return { ...noFacts, code: answer.reason, phase: answer.phase };
  const get = (name: string) => {
    const value = answer.headers.get(name);
    return value === null ? null : redact(value, secrets);
  };
  return {
    ...noFacts,
    status: answer.status,
    code: codeOf(answer),
    requestId: requestIdOf(answer.headers, secrets),
    headers: { get },
  };
}

function lineOf(
  { status, code, phase, requestId }: Omit<TryOutcome, "durationMs">,
  durationMs: number,
  attempt: number,
) {
  const what = status === undefined ? `no answer (${[phase, code].filter(Boolean).join(", ")})` : status;
  const why = status !== undefined && code !== undefined ? ` ${code}` : "";
  return `${what}${why} in ${durationMs} ms, attempt ${attempt}, request ${requestId ?? "-"}`;
}

function describe(error: unknown) {
  return isError(error) ? `${error.name}: ${error.message}` : typeof error;
}

const tooSlow = Symbol("too slow");
