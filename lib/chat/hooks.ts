import { isRecord, parseJson } from "../base/json.ts";
import type { AroundTry, Try } from "./around-try.ts";
import { type Answer, codeOf } from "./attempt.ts";
import { InvalidInputError, type UnreachablePhase } from "./errors.ts";
import { isFieldBag } from "./fields.ts";
import type { AnswerHeaders } from "./lean-fetch.ts";
import { readOwnHeaders } from "./own-headers.ts";
import { isSecretName, secretsIn } from "./prepare-request.ts";
import { quietly } from "./quietly.ts";
import { redact } from "./redact.ts";
import { requestIdOf } from "./send-request.ts";
import { userAgent } from "./user-agent.ts";

/** What a client offers to look at its requests; the methods of a small one have none of it. */
export interface ListeningOptions {
  /** Hears of each try, before and after it. Default: nobody listens. */
  readonly hooks?: ChatHooks | undefined;
  /** Gets one line per try, for whoever looks for a mistake; `console` fits. It holds no address, header or body. Default: none. */
  readonly log?: ChatLog | undefined;
  /** Follows the client's own name in the user-agent header, for instance `my-app/1.2`. */
  readonly userAgent?: string | undefined;
}

/** Where lines for looking for mistakes go. */
export interface ChatLog {
  /** Gets one line, without its end; what it throws is passed over. */
  debug(line: string): void;
}

/** What listens to the tries of a client, repeated ones included. Each is waited for, as long as the try may take. */
export interface ChatHooks {
  /**
   * Comes before each try, and may add headers to it. When it throws, nothing is sent and the call fails with what it threw;
   * when it takes too long, the try counts as one that was never sent.
   */
  readonly beforeRequest?: ((request: OutgoingTry) => AddedHeaders | Promise<AddedHeaders>) | undefined;
  /** Comes after each try. When it throws, the call goes on as if it had not, because the platform has acted: `log` tells of it. */
  readonly afterResponse?: ((request: OutgoingTry, outcome: TryOutcome) => unknown) | undefined;
}

/** Headers of one's own; those that the client sets itself are refused. */
export type AddedHeaders = { readonly headers?: Readonly<Record<string, string>> | undefined } | undefined;

/** What is about to be sent, with every credential taken out. Changing it changes nothing. */
export interface OutgoingTry {
  /** Operation id of the platform's catalogue, for instance `send-message`. */
  readonly operation: string;
  /** From 1. */
  readonly attempt: number;
  readonly method: string;
  readonly url: string;
  /** Those of the call's own; never the client's. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined where nothing or a form is sent. */
  readonly body: string | undefined;
  readonly onBehalfOf: string | undefined;
}

/** What became of a try. */
export interface TryOutcome {
  /** HTTP status; undefined where no usable answer came. */
  readonly status: number | undefined;
  /** The platform's error code, the socket's, TIMEOUT or ABORTED; undefined on success. */
  readonly code: string | undefined;
  /** Where a try without a usable answer ended. */
  readonly phase: UnreachablePhase | undefined;
  readonly requestId: string | undefined;
  readonly durationMs: number;
  /** Of the answer, with every credential taken out; without any where none came. */
  readonly headers: AnswerHeaders;
}

/** Makes what tells hooks and log of each try; undefined where nobody listens. */
export function listenToTries(
  { hooks = {}, log, userAgent: suffix }: ListeningOptions,
  now: () => number = Date.now,
): AroundTry | undefined {
  if (!hooks.beforeRequest && !hooks.afterResponse && !log && suffix === undefined) return undefined;
  const agent = suffix === undefined ? {} : { "user-agent": `${userAgent()} ${suffix}` };

  return async (one, go) => {
    const clean = (text: string) => redact(text, one.secrets);
    const say = (text: () => string) =>
      quietly(() => log?.debug(clean(`chat ${one.request.operation}: ${text()}`).replace(/\s+/g, " ")));
    const shown = hooks.beforeRequest || hooks.afterResponse ? show(one) : undefined;
    const added = shown && (await within(one.timeoutMs, one.send.signal, () => hooks.beforeRequest?.(shown)));
    if (added === tooSlow) return { kind: "silence", phase: "wait", reason: "HOOK_TIMEOUT" };
    const headers = { ...readAdded(one.request.operation, added), ...agent };
    for (const secret of secretsIn(headers)) one.secrets.add(secret);

    const startedMs = now();
    const tell = async (facts: Omit<TryOutcome, "durationMs">) => {
      const durationMs = now() - startedMs;
      say(() => lineOf(facts, durationMs, one.count));
      if (!shown || !hooks.afterResponse) return;
      const heard = within(one.timeoutMs, undefined, () =>
        hooks.afterResponse?.(shown, { ...facts, durationMs }),
      );
      await heard.then(
        (given) => given === tooSlow && say(() => "afterResponse took too long"),
        (error: unknown) => say(() => `afterResponse threw ${describe(error)}`),
      );
    };

    try {
      const answer = await go(headers);
      await tell(factsOf(answer, one.secrets));
      return answer;
    } catch (error) {
      // Whoever gave up does not wait for it.
      void tell({ ...noFacts, code: "ABORTED" });
      throw error;
    }
  };
}

/** Shows a try without anything secret: by value wherever it stands, and by name where a name says so. */
function show({ request, url, send, count, secrets }: Try): OutgoingTry {
  const clean = (text: string) => redact(text, secrets);
  const own = Object.entries(send.headers ?? {}).map(([name, value]) => [
    name,
    isSecretName(name) ? "[redacted]" : clean(value),
  ]);
  return Object.freeze({
    operation: clean(request.operation),
    attempt: count,
    method: request.method,
    url: clean(url),
    headers: Object.freeze(Object.fromEntries(own)),
    body: typeof request.body === "string" ? clean(JSON.stringify(mask(parseJson(request.body)))) : undefined,
    onBehalfOf: request.onBehalfOf,
  });
}

/** Masks every text and number below a field whose name says that it is secret. */
function mask(value: unknown, isSecret = false): unknown {
  if (Array.isArray(value)) return value.map((item) => mask(item, isSecret));
  if (isRecord(value)) {
    const fields = Object.entries(value).map(([name, inner]) => [
      name,
      mask(inner, isSecret || isSecretName(name)),
    ]);
    return Object.fromEntries(fields);
  }
  return isSecret && (typeof value === "string" || typeof value === "number") ? "[redacted]" : value;
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
): string {
  const what = status === undefined ? `no answer (${[phase, code].filter(Boolean).join(", ")})` : status;
  const why = status !== undefined && code !== undefined ? ` ${code}` : "";
  return `${what}${why} in ${durationMs} ms, attempt ${attempt}, request ${requestId ?? "-"}`;
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
}

/** Stands for what took longer than the try may. */
const tooSlow = Symbol("too slow");

/** Waits for a hook no longer than for the try itself; rejects with what it throws, and with the signal's reason. */
function within<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  run: () => T | Promise<T>,
): Promise<T | typeof tooSlow> {
  // A signal may be that of a whole program: what listens to it goes when the hook has ended.
  const over = new AbortController();
  const once = { once: true, signal: over.signal };
  return new Promise<T | typeof tooSlow>((resolve, reject) => {
    signal?.throwIfAborted();
    AbortSignal.timeout(Math.ceil(timeoutMs)).addEventListener("abort", () => resolve(tooSlow), once);
    signal?.addEventListener("abort", () => reject(signal.reason), once);
    Promise.resolve().then(run).then(resolve, reject);
  }).finally(() => over.abort());
}
