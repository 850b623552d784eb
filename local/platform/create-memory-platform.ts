import { assemblePlatform, type CoreOptions, type CorePlatform } from "./assemble-platform.ts";
import { defaultSeed } from "./default-seed.ts";
import { createInProcessFetch } from "./http/client-connection.ts";
import { isJsonObject, type JsonObject, readJson } from "./json.ts";
import { type AppSeed, addToApp, type Seed, type WebhookSeed } from "./seed.ts";
import { createVirtualClock, type VirtualClock } from "./services/clock.ts";
import { isSuccess, type OutgoingRequest } from "./webhooks/send.ts";
import { currentTriggers, legacyTriggers } from "./webhooks/trigger-table.ts";

/** How to make a platform without a server; every field may be left out. */
export type MemoryPlatformOptions = Omit<CoreOptions, "dataFile" | "clock"> & {
  /** Default: a new one that stands at 2026-01-01T00:00:00Z. */
  clock?: VirtualClock;
  /**
   * What becomes of events. "off" (default): only the webhooks of the seed receive them. "captured": a
   * webhook of the id `captured` in every app subscribes to all triggers. Whatever the platform sends stands
   * in `captured` and never leaves the process.
   */
  webhooks?: "off" | "captured";
  /** Returns what the called server answers. Default: 200, with an empty object. */
  receive?: (call: CapturedCall) => ReceivedAnswer | Promise<ReceivedAnswer>;
};

/** What a called server answers; undefined: nothing, until the platform gives up. */
type ReceivedAnswer = { status: number; body?: JsonObject } | undefined;

/** One call of the platform's to a webhook, a bot, a provider or a service that decides. */
type CapturedCall = {
  url: string;
  /** The app's credentials as they travel; undefined if the call has none. */
  authorization: string | undefined;
  body: JsonObject;
};

/** What may be added to an app while the platform runs; what is there already stays as it is. */
export type AppAddition = Partial<AppSeed> & Pick<AppSeed, "appId">;

/** A platform that lives in this process and opens no socket. */
export type MemoryPlatform = Omit<CorePlatform, "clock"> & {
  clock: VirtualClock;
  /**
   * Answers requests to the platform's own addresses
   * (`https://<appId>.api-<region>.cometchat.io/v3/…`) as `fetch` would; it
   * keeps to `signal`. Other hosts are refused as names that do not exist.
   */
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Returns the base address of an app's chat interface (`service` "call": of its Calls interface). */
  appUrl(appId: string, region?: string, service?: "api" | "call"): string;
  /** Returns the base address of the management interface. */
  managementUrl: string;
  /** Where the emulation's own interface stands: `${url}/_platform/…`. */
  url: string;
  /** The API keys that an app has when its seed names none. */
  keys: { fullAccessKey: string; authOnlyKey: string };
  /** Makes an app when it is missing, and what else it lacks; fires no events. May be repeated. */
  add(addition: AppAddition): void;
  /** What the platform sent, oldest first. */
  captured: readonly CapturedCall[];
  /** Closes the database; requests are refused from then on. May be repeated. */
  close(): Promise<void>;
};

/**
 * Makes a platform for a test: nothing waits, nothing is written to disk, and time moves by `clock.advance`
 * alone.
 * @example
 * const platform = createMemoryPlatform();
 * platform.add(seedOfEvent(body));
 * const { fullAccessKey: apiKey } = platform.keys;
 * const chat = createChatClient({ appId, region, apiKey, fetch: platform.fetch });
 */
export function createMemoryPlatform(options: MemoryPlatformOptions = {}): MemoryPlatform {
  const { webhooks = "off", seed = defaultSeed, clock = createVirtualClock(), ...rest } = options;
  const captured: CapturedCall[] = [];
  const withCapture = (app: AppSeed): AppSeed =>
    webhooks === "off" ? app : { ...app, webhooks: [...(app.webhooks ?? []), ...captureAll] };
  const ownSeed: Seed = { ...seed, apps: seed.apps.map(withCapture) };
  const sender = createCapturingSender(captured, options.receive);
  const { platform, control } = assemblePlatform({ ...rest, clock, seed: ownSeed }, sender);
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
      addToApp(
        platform.services,
        withCapture({ region: "us", name: addition.appId, fullAccessKey, authOnlyKey, ...addition }),
      );
    },
    captured,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await control.close();
    },
  };
}

const captureAll: readonly WebhookSeed[] = [
  { id: "captured", url: "https://captured.invalid/", triggers: Object.keys(currentTriggers) },
  { id: "captured", url: "https://captured.invalid/", generation: 1, triggers: Object.keys(legacyTriggers) },
];

function createCapturingSender(
  captured: CapturedCall[],
  receive: MemoryPlatformOptions["receive"] = () => ({ status: 200 }),
) {
  return {
    async send({ url, authorization, body, timeoutMs }: OutgoingRequest) {
      const parsed = readJson(body);
      const call = { url, authorization, body: isJsonObject(parsed) ? parsed : {} };
      captured.push(call);
      const answer = await receive(call);
      const text = JSON.stringify(answer?.body ?? {});
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
