import type { Clock } from "../../../local/testing/simulated/clock.ts";
import type { Process } from "../../../local/testing/simulated/process.ts";
import { between, type Random } from "../../../local/testing/simulated/random.ts";

/** How the platform receives one request. */
export type Reception =
  /** Answered, within this many milliseconds; a quick 20 to 60 when absent. */
  | { readonly kind: "well"; readonly ms?: number }
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A 200 with this body, without any effect. */
  | { readonly kind: "said"; readonly body: string }
  /** A proxy's page instead of the platform's answer. */
  | { readonly kind: "page"; readonly status: number }
  | { readonly kind: "no connection" }
  /** No answer and no effect. */
  | { readonly kind: "silence" }
  /** Carried out, then the connection breaks. */
  | { readonly kind: "answer lost" }
  /** Carried out, and half of the answer comes. */
  | { readonly kind: "answer cut" }
  /** No answer, and carried out up to 20 s after the caller's timeout. */
  | { readonly kind: "carried out late" };

export interface ChatRequest {
  readonly appId: string;
  readonly method: string;
  readonly path: string;
  /** The acting user; empty: the app. */
  readonly user: string;
  /** Of a message that is sent. */
  readonly receiver: string;
  readonly text: string;
}

/** A message that users can read. */
export interface StoredMessage {
  readonly id: string;
  readonly appId: string;
  readonly receiver: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly storedAtMs: number;
}

/** The chat platform's REST API, as far as effects use it: sending messages, listing them by tag, banning. */
export interface ChatPlatform {
  /** In the order in which they were stored. */
  readonly messages: readonly StoredMessage[];
  /** The paths of bans, in the order in which they were made. */
  readonly bans: readonly string[];
  /** When each request came, by app, in milliseconds since 1970. */
  requestsOf(appId: string): readonly number[];
  fetchOf(process: Process): typeof fetch;
}

export interface ChatPlatformOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly receptionOf: (request: ChatRequest) => Reception;
  /** How long after its storage a message appears in lists, in milliseconds. Default: 0. */
  readonly listLagMs?: number;
}

/** A request that timed out may be carried out this much later. */
const latestMs = 20_000;

export function createChatPlatform(options: ChatPlatformOptions): ChatPlatform {
  const { clock, random, receptionOf, listLagMs = 0 } = options;
  const messages: StoredMessage[] = [];
  const bans: string[] = [];
  const byTag = new Map<string, StoredMessage[]>();
  const requests = new Map<string, number[]>();

  const store = ({ appId, receiver, text }: ChatRequest, tags: readonly string[]): StoredMessage => {
    const id = String(messages.length + 1);
    const message = { id, appId, receiver, text, tags, storedAtMs: clock.now() };
    messages.push(message);
    for (const tag of tags) byTag.set(`${appId} ${tag}`, [...(byTag.get(`${appId} ${tag}`) ?? []), message]);
    return message;
  };
  const list = (appId: string, tag: string) =>
    (byTag.get(`${appId} ${tag}`) ?? []).filter(({ storedAtMs }) => storedAtMs + listLagMs <= clock.now());

  const answer = async (url: URL, init: RequestInit | undefined): Promise<Response> => {
    const appId = url.hostname.split(".")[0] ?? "";
    const method = init?.method ?? "GET";
    const path = url.pathname.replace(/^\/v3/, "");
    const body = typeof init?.body === "string" ? readBody(init.body) : noBody;
    const user = new Headers(init?.headers).get("onbehalfof") ?? "";
    const request = { appId, method, path, user, receiver: body.receiver, text: body.text };
    const times = requests.get(appId) ?? [];
    times.push(clock.now());
    requests.set(appId, times);
    const signal = init?.signal ?? undefined;
    const carryOut = (): object => {
      if (method === "POST" && path.includes("/bannedusers/")) {
        bans.push(path);
        return { data: { success: true, message: "Banned." } };
      }
      if (method === "GET")
        return { data: list(appId, url.searchParams.get("tags") ?? "").map(show), meta: {} };
      return { data: show(store(request, body.tags)) };
    };

    const reception = receptionOf(request);
    switch (reception.kind) {
      case "no connection":
        await clock.sleep(2);
        throw socketError("ECONNREFUSED", "connect");
      case "silence":
        return silence(signal);
      case "carried out late": {
        const late = between(random, 0, latestMs);
        signal?.addEventListener("abort", () => clock.at(clock.now() + late, carryOut), { once: true });
        return silence(signal);
      }
      case "answer lost":
        await clock.sleep(20, signal);
        carryOut();
        await clock.sleep(20, signal);
        throw socketError("ECONNRESET", "read");
      case "answer cut": {
        await clock.sleep(20, signal);
        const whole = JSON.stringify(carryOut());
        await clock.sleep(20, signal);
        return new Response(whole.slice(0, whole.length / 2), { status: 200 });
      }
      case "said":
        await clock.sleep(20, signal);
        return new Response(reception.body, { status: 200 });
      case "page":
        await clock.sleep(20, signal);
        return new Response("<html><body>Forbidden</body></html>", { status: reception.status });
      case "answer": {
        await clock.sleep(20, signal);
        const { status, code = "ERR_EXCEPTION", headers = {} } = reception;
        return Response.json({ error: { code, message: "No." } }, { status, headers });
      }
      case "well": {
        const ms = reception.ms ?? between(random, 20, 60);
        await clock.sleep(ms / 2, signal);
        const answered = carryOut();
        await clock.sleep(ms / 2, signal);
        return Response.json(answered);
      }
    }
  };

  return {
    messages,
    bans,
    requestsOf: (appId) => requests.get(appId) ?? [],
    fetchOf: (process) => (input, init) => {
      const url = new URL(String(input));
      return process.edge(`chat.${init?.method ?? "GET"}`, () => answer(url, init));
    },
  };
}

function silence(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function socketError(code: string, syscall: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code, syscall }) });
}

const noBody = { receiver: "", text: "", tags: [] };

function readBody(body: string): { receiver: string; text: string; tags: readonly string[] } {
  const { receiver, data, tags } = Object.fromEntries(Object.entries(Object(JSON.parse(body))));
  const text = typeof data === "object" && data !== null && "text" in data ? String(data.text) : "";
  return { receiver: String(receiver), text, tags: Array.isArray(tags) ? tags.map(String) : [] };
}

function show({ id, receiver, text, tags, storedAtMs }: StoredMessage): object {
  return {
    id,
    receiver,
    receiverType: "group",
    tags,
    sender: "support",
    data: { text },
    sentAt: Math.floor(storedAtMs / 1000),
  };
}
