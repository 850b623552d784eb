import { isRecord } from "../base/json.ts";
import { isError } from "../base/realm.ts";
import { pause } from "../base/timers.ts";
import { unlessAborted } from "../base/unless-aborted.ts";
import { readPlainly, typeNameOf } from "./check-plain.ts";
import { InvalidInputError } from "./errors.ts";
import { socketFacts } from "./fetch-once.ts";
import type { AnswerHeaders, Fetch, FetchAnswer, FetchInit } from "./lean-fetch.ts";
import type { Transport, TransportOptions } from "./transport.ts";

/**
 * A caller's `fetch` that ignores its signal or returns no answer, and a listener that throws, must not block
 * a call or make an executed one look failed.
 */
export function guardOptions(options: TransportOptions): TransportOptions {
  const { now, sleep = pause, random, timeoutMs, retry, maxConcurrent, onTry } = options;
  return {
    timeoutMs,
    maxConcurrent,
    retry: retry && Object.fromEntries(Object.entries(retry).filter(([, value]) => value !== undefined)),
    now: now && (() => numberOf("now", now, "unix milliseconds")),
    random: random && (() => numberOf("random", random, "a number from 0 up to 1")),
    sleep: async (ms, signal) => sleep(ms, signal),
    fetch: (url, init) => fetchCarefully(options.fetch ?? globalThis.fetch, url, init),
    onTry: onTry && ((report) => quietly(() => onTry(report))),
  };
}

export function abortOnSignal({ send, ...rest }: Transport): Transport {
  return {
    ...rest,
    send: (request, options) => {
      // Node 20 warns about more than ten listeners of one signal.
      const signal = options.signal && AbortSignal.any([options.signal]);
      return unlessAborted(signal, () => send(request, { ...options, signal }));
    },
  };
}

async function fetchCarefully(fetch: Fetch, url: string, init: FetchInit): Promise<FetchAnswer> {
  const answer: unknown = await unlessAborted(init.signal, () => fetch(url, init)).catch(failPlainly);
  if (!isAnswer(answer)) throw failure("NO_RESPONSE");
  const { status, headers } = answer;
  const text = () => unlessAborted(init.signal, () => answer.text()).catch(failPlainly);
  const get = (name: string) => textOf(headers, name);
  return { ok: status >= 200 && status < 300, status, headers: { get }, text };
}

/** Reports only texts in the form of codes: anything can be thrown. */
function failPlainly(error: unknown): never {
  throw failure(...readFailure(error));
}

function readFailure(error: unknown): [code: string, syscall?: unknown] {
  try {
    const { code, syscall } = socketFacts(error);
    // Fetch throws TypeError or Error for network failures.
    const said = code === "NETWORK" && isError(error) ? error.name : code;
    return [/^(?!(Type)?Error$)[A-Z]\w{1,59}$/.test(said) ? said : "NETWORK", syscall];
  } catch {
    return ["NETWORK"];
  }
}

function failure(code: string, syscall?: unknown): Error {
  return Object.assign(new Error(`fetch failed: ${code}`), { code, syscall });
}

/** A custom Response may have a Map as headers. */
function textOf(headers: AnswerHeaders, name: string) {
  try {
    const value: unknown = headers.get(name);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

function numberOf(name: string, give: () => unknown, what: string) {
  const value = readPlainly("a client", name, give);
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new InvalidInputError("a client", name, `a function that gives ${what}, not ${typeNameOf(value)}`);
}

function isAnswer(value: unknown): value is FetchAnswer {
  return (
    isRecord(value) &&
    isRecord(value.headers) &&
    isStatus(value.status) &&
    [value.text, value.headers.get].every((method) => typeof method === "function")
  );
}

/** Refuses status 0, which error and opaque responses have. */
function isStatus(value: unknown) {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 999;
}

/** Does not wait, ignores errors. */
export function quietly(act: () => unknown): void {
  (async () => act())().catch(() => undefined);
}
