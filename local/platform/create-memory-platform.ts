import { assemblePlatform, type CoreOptions, type CorePlatform } from "./assemble-platform.ts";
import { defaultSeed } from "./default-seed.ts";
import { createInProcessFetch } from "./http/client-connection.ts";
import { type JsonObject, objectOf, readJson } from "./json.ts";
import { type AppSeed, addToApp } from "./seed.ts";
import { createVirtualClock, type VirtualClock } from "./services/clock.ts";
import type { OutgoingRequest } from "./services/services.ts";
import { isSuccess } from "./webhooks/send.ts";

/** All are optional. */
export type MemoryPlatformOptions = Omit<CoreOptions, "dataFile" | "clock"> & {
  /** Default: a new one at 2026-01-01T00:00:00Z. */
  clock?: VirtualClock;
  /** Returns the called server's answer. Default: 200, with an empty object. */
  receive?: (call: CapturedCall) => ReceivedAnswer | Promise<ReceivedAnswer>;
};

/** Undefined: no answer, until the platform gives up. `text` is sent unchanged. */
type ReceivedAnswer = { status: number; body?: JsonObject; text?: string } | undefined;

/** A call to a webhook, a bot, a provider, a deciding service, an agent or an agent's tool. */
type CapturedCall = {
  url: string;
  method: string;
  /** Set for an agent or its tool. */
  headers: Readonly<Record<string, string>>;
  /** The app's credentials as sent; undefined without any. */
  authorization: string | undefined;
  body: JsonObject;
};

/** Additions to a running platform's app. */
export type AppAddition = Partial<AppSeed> &
  Pick<AppSeed, "appId"> & {
    /** Later messages get higher ids. */
    lastMessageId?: string;
    /** Whether edited messages always replace the stored ones. Default: only later edits do. */
    hasLatestEdits?: boolean;
  };

export type MemoryPlatform = Omit<CorePlatform, "clock"> & {
  clock: VirtualClock;
  /**
   * Answers requests to the platform's addresses (`https://<appId>.api-<region>.cometchat.io/v3/…`) like
   * `fetch`; other hosts are unknown names.
   */
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Returns the base address of an app's chat API ("call": Calls API). */
  appUrl(appId: string, region?: string, service?: "api" | "call"): string;
  /** The base address of the Management API. */
  managementUrl: string;
  /** The emulation's own interface: `${url}/_platform/…`. */
  url: string;
  /** An app's API keys if its seed has none. */
  keys: { fullAccessKey: string; authOnlyKey: string };
  /** Creates a missing app, and its missing parts; fires no events. May be repeated. */
  add(addition: AppAddition): void;
  /** What the platform sent, oldest first. */
  captured: readonly CapturedCall[];
  /** Closes the database; later requests are refused. May be repeated. */
  close(): Promise<void>;
};

/**
 * Creates a platform for a test: nothing waits, nothing is written to disk, and only `clock.advance` moves
 * the time.
 * @example const platform = createMemoryPlatform(); platform.add(seedOfEvent(body)); const { fullAccessKey:
 * apiKey } = platform.keys; const chat = createChatClient({ appId, region, apiKey, fetch: platform.fetch });
 */
export function createMemoryPlatform(options: MemoryPlatformOptions = {}): MemoryPlatform {
  const { clock = createVirtualClock(), receive } = options;
  const captured: CapturedCall[] = [];
  const sender = createCapturingSender(captured, receive);
  const { platform, control } = assemblePlatform({ ...options, clock }, sender);
  const { fullAccessKey, authOnlyKey } = defaultSeed.apps[0];
  let isClosed = false;
  control.resume();

  return {
    ...platform,
    clock,
    fetch: createInProcessFetch((request, bindings) => {
      if (isClosed) throw new TypeError("fetch failed", { cause: new Error("The platform is closed.") });
      return control.answer(request, bindings);
    }),
    appUrl: (appId, region = "us", service = "api") =>
      `https://${appId}.${service}-${region}.cometchat.io/v3`,
    managementUrl: "https://apimgmt.cometchat.io",
    url: "http://127.0.0.1",
    keys: { fullAccessKey, authOnlyKey },
    add(addition) {
      const missing = { region: "us", name: addition.appId, fullAccessKey, authOnlyKey } as const;
      addToApp(platform.services, { ...missing, ...addition });
    },
    captured,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await control.close();
    },
  };
}

function createCapturingSender(
  captured: CapturedCall[],
  receive: MemoryPlatformOptions["receive"] = () => ({ status: 200 }),
) {
  return {
    async send({ url, authorization, body = "", timeoutMs, method = "POST", headers = {} }: OutgoingRequest) {
      const parsed = readJson(body);
      const call = { url, method, headers, authorization, body: objectOf(parsed) };
      captured.push(call);
      const answer = await receive(call);
      const text = answer?.text ?? JSON.stringify(answer?.body ?? {});
      const base = { status: answer?.status, durationMs: 0, text, isTimeout: answer === undefined };
      if (answer === undefined) {
        return { ...base, durationMs: timeoutMs, error: `No answer within ${timeoutMs} ms.` };
      }
      return {
        ...base,
        error: isSuccess(answer.status) ? undefined : `The endpoint answered ${answer.status}.`,
      };
    },
    close() {},
  };
}
