import { isRecord } from "../json.ts";
import { unlessAborted } from "../unless-aborted.ts";
import type { Fetch, FetchAnswer, FetchInit } from "./lean-fetch.ts";
import { quietly } from "./quietly.ts";
import type { Transport, TransportOptions } from "./transport.ts";

/**
 * Takes what somebody gave a client with care: a `fetch` may overhear its signal or give no answer, and what only listens may
 * throw. Neither may hold a call, nor make one that was carried out look failed.
 */
export function takeCarefully(options: TransportOptions): TransportOptions {
  const { now, sleep = wait, random, timeoutMs, retry, maxConcurrent, onTry } = options;
  return {
    ...{ now, sleep, random, timeoutMs, retry, maxConcurrent },
    fetch: (url, init) => fetchCarefully(options.fetch ?? globalThis.fetch, url, init),
    onTry: onTry && ((report) => quietly(() => onTry(report))),
  };
}

/** Makes each call end when its signal says so, whatever it waits for just then: a key, a hook, the caller's own check. */
export function heedSignals({ send, rateLimit }: Transport): Transport {
  return {
    send: (request, options) => {
      // Each call listens to a signal of its own: Node 20 warns of more than ten listeners of one, and a program's may have many.
      const signal = options.signal && AbortSignal.any([options.signal]);
      return unlessAborted(signal, () => send(request, { ...options, signal }));
    },
    rateLimit,
  };
}

async function fetchCarefully(fetch: Fetch, url: string, init: FetchInit): Promise<FetchAnswer> {
  const answer: unknown = await unlessAborted(init.signal, () => fetch(url, init));
  if (!isAnswer(answer)) throw Object.assign(new Error("fetch gave no Response."), { code: "NO_RESPONSE" });
  const { status, headers } = answer;
  const text = () => unlessAborted(init.signal, () => answer.text());
  return { ok: status >= 200 && status < 300, status, headers, text };
}

function isAnswer(value: unknown): value is FetchAnswer {
  return (
    isRecord(value) &&
    isRecord(value.headers) &&
    Number.isInteger(value.status) &&
    [value.text, value.headers.get].every((method) => typeof method === "function")
  );
}

/** As `pause` does, with nothing that only Node has. */
async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = async () =>
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
  await unlessAborted(signal, passed).finally(() => clearTimeout(timer));
}
