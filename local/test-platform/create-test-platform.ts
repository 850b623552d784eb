import * as z from "zod/mini";
import { isRecord } from "../../lib/base/json.ts";
import { checkCall } from "../../lib/chat/check-call.ts";
import { checkPlain, type PlainRules, readPlainly } from "../../lib/chat/check-plain.ts";
import { type AgentScript, scriptSchema } from "../platform/agents/script.ts";
import { createPlatform, type Platform } from "../platform/create-platform.ts";
import { defaultSeed } from "../platform/default-seed.ts";
import { addToApp, type Seed } from "../platform/seed.ts";
import { changeSwitches, initialSwitches, type Switches } from "../platform/services/switches.ts";
import { type App, findApp, listApiKeys, listApps } from "../platform/store/apps.ts";
import type { Database } from "../platform/store/database.ts";
import { selectMessages } from "../platform/store/messages.ts";
import { listFirstUsers } from "../platform/store/users.ts";
import { findWebhook, listWebhooks } from "../platform/store/webhooks.ts";
import { StackClock } from "../stack/clock/stack-clock.ts";
import {
  type AppContents,
  type KnownContents,
  type PlatformContents,
  readPlatformContents,
} from "./app-contents.ts";
import { checkTextOrNone, checkTexts } from "./check-given.ts";
import { keepPlatformJournal, type PlatformJournal } from "./journal.ts";
import {
  createPlatformUser,
  type PlatformMessage,
  type PlatformUser,
  runAction,
  type SimulatedActions,
} from "./platform-user.ts";
import { createTestClock, type PlatformClock } from "./test-clock.ts";
import { createTestFaults, type PlatformFaults } from "./test-faults.ts";

/** All options are optional. */
export interface TestPlatformOptions {
  /** Default: the app `local-app` with the users alice, bob and support and the group lobby. */
  readonly seed?: PlatformContents | undefined;
  /** 0 (default) takes any free port. */
  readonly port?: number | undefined;
  /** The initial time. Default: now. */
  readonly startsAt?: Date | undefined;
  /** Behaviour that is undocumented, or varies (docs/internals/fidelity.md). */
  readonly switches?: Partial<Switches> | undefined;
}

/** The chat platform, emulated in this process at a local address. */
export interface TestPlatform extends AsyncDisposable {
  /** Address without a trailing slash, such as `http://127.0.0.1:40123`. `/_platform/` shows its contents. */
  readonly url: string;
  readonly port: number;
  readonly clock: PlatformClock;
  readonly faults: PlatformFaults;
  readonly journal: PlatformJournal;
  /**
   * Returns what `createChatClient` needs for an app. Default: the first app of the seed.
   * @throws Error if the app does not exist, or has no key of this scope
   */
  connection(appId?: string, scope?: "fullAccess" | "authOnly"): PlatformConnection;
  /** What `createManagementClient` needs. */
  readonly management: {
    readonly baseUrl: string;
    readonly credentials: { readonly key: string; readonly secret: string };
  };
  /** Returns the base address of an app's REST API. @throws Error if the app does not exist */
  appUrl(appId?: string): string;
  /** Returns a user with a client. A missing user's actions are refused. @throws TypeError without a uid */
  user(uid: string, appId?: string): PlatformUser;
  /**
   * Performs an action of clients outside the REST API, such as answering a call; returns the platform's
   * result.
   * @throws Error with `code` as the platform refuses it
   * @example platform.simulate("answer-call", { sessionId, uid: "bob" });
   */
  simulate<Id extends keyof SimulatedActions>(id: Id, fields: SimulatedActions[Id], appId?: string): unknown;
  /**
   * Replaces what an agent that the platform runs says, and which tools it calls (docs/testing.md#ai-agents).
   * @throws InvalidInputError if the script is wrong, Error if the agent does not exist
   */
  scriptAgent(uid: string, script: AgentScript, appId?: string): void;
  /**
   * Adds contents to an app, which is created if needed; sends no webhooks. Existing contents stay.
   * @throws SeedError with every mistake and its place, and for a webhook whose id is taken
   */
  add(contents: AppContents): void;
  /** Returns an app's messages, also deleted ones, oldest first. @throws Error if the app does not exist */
  messages(appId?: string): readonly PlatformMessage[];
  /**
   * Resolves when no delivery is in progress and no agent runs. Future retries need an advance of the clock.
   * Repeatable; never throws.
   */
  settled(): Promise<void>;
  /**
   * Restarts with the seed, or another: contents, faults, journal, time and switches. Requests in progress
   * get no answer; waits for deliveries in progress. Repeatable.
   * @throws SeedError if the seed is invalid; nothing has changed then
   */
  reset(seed?: PlatformContents): Promise<void>;
  /** Stops the server and all work in progress. Repeatable; never throws; `await using` calls it. */
  close(): Promise<void>;
}

/** What a client needs to reach an app. */
export interface PlatformConnection {
  readonly appId: string;
  readonly region: "us" | "eu" | "in";
  readonly apiKey: string;
  readonly baseUrlTemplate: string;
}

/**
 * Starts the emulated platform for a test: in memory, on a free port, with a movable clock. Platforms are
 * independent.
 * @throws SeedError for an invalid seed, InvalidInputError for another invalid option, Error with code
 * EADDRINUSE if the port is taken
 * @example await using platform = await createPlatform(); const chat =
 * createChatClient(platform.connection());
 */
export async function createTestPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  checkPlain("createPlatform", "options", optionRules, options);
  const { port = 0, startsAt } = options;
  const seed = options.seed === undefined ? defaultSeed : readPlatformContents(options.seed);
  const switches = initialSwitches();
  changeSwitches(switches, { ...options.switches });
  const startSetting = () => ({ offsetMs: startsAt === undefined ? 0 : startsAt.getTime() - Date.now() });
  const clock = new StackClock(startSetting());
  const platform = await createPlatform({ seed, port, clock, switches });
  const { services, faults } = platform;
  const { journal, ...kept } = keepPlatformJournal({
    subscribe: platform.subscribe,
    deliveries: () => {
      requireOpen();
      return platform.deliveries();
    },
  });
  const settled = () => platform.idle();
  let firstAppId = firstIn(seed);
  const requireOpen = () => {
    if (!services.db.isOpen) throw new Error("The platform is closed.");
  };
  const requireApp = (appId = firstAppId): App => {
    requireOpen();
    return requireAppOf(services.db, appId);
  };
  const close = async () => {
    kept.close();
    await platform.close();
    clock.close();
  };

  return {
    url: platform.url,
    port: platform.port,
    clock: createTestClock(clock),
    faults: createTestFaults(faults),
    journal,
    management: { baseUrl: platform.managementUrl, credentials: { ...defaultSeed.management } },
    ...methodsOfApps(platform, requireApp),
    add(contents) {
      requireOpen();
      addContents(platform, contents, firstAppId);
    },
    settled,
    async reset(other) {
      requireOpen();
      const next = other === undefined ? undefined : readPlatformContents(other);
      platform.breakRequests();
      await clock.alone(async () => clock.set(startSetting()));
      Object.assign(platform.switches, switches);
      platform.reset(next);
      firstAppId = firstIn(next ?? seed);
      kept.restart();
      await settled();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function addContents({ services }: Platform, contents: AppContents, firstAppId: string) {
  checkCall("add", "contents", z.looseObject({ appId: z.optional(z.string()) }), contents);
  const { appId = firstAppId } = contents;
  const whole = readPlainly("add", "contents", () => ({ ...contents, appId }));
  const { apps } = readPlatformContents(whole, contentsOf(services.db, appId));
  refuseTakenIds(services.db, contents, appId);
  for (const app of apps) addToApp(services, app);
}

function methodsOfApps(
  platform: Platform,
  requireApp: (appId?: string) => App,
): Pick<TestPlatform, "connection" | "appUrl" | "user" | "simulate" | "scriptAgent" | "messages"> {
  const { services } = platform;
  const { db } = services;
  return {
    connection(given, scope = "fullAccess") {
      checkCall("connection", "scope", z.enum(["fullAccess", "authOnly"]), scope);
      const { appId, region } = requireApp(given);
      const key = listApiKeys({ db, appId }).find((one) => one.scope === scope);
      if (key === undefined) throw new Error(`The app ${appId} has no key of scope ${scope}.`);
      const baseUrlTemplate = `${platform.url}/{appId}.{service}-{region}/v3`;
      return { appId, region: regionOf(region), apiKey: key.apiKey, baseUrlTemplate };
    },
    appUrl(given) {
      const { appId, region } = requireApp(given);
      return platform.appUrl(appId, region);
    },
    user(uid, appId) {
      // The app itself would act.
      if (typeof uid !== "string" || uid === "") throw new TypeError("user() needs a uid.");
      checkTextOrNone("user", "appId", appId);
      return createPlatformUser(services, () => requireApp(appId), uid);
    },
    simulate: (id, fields, appId) => runAction(services, requireApp(appId), id, fields),
    scriptAgent(uid, script, appId) {
      checkTexts("scriptAgent", { uid });
      checkCall("scriptAgent", "script", scriptSchema, script);
      platform.scriptAgent(requireApp(appId).appId, uid, script);
    },
    messages(appId) {
      const query = { conditions: [], newestFirst: false, limit: -1 };
      return selectMessages({ db, appId: requireApp(appId).appId }, query);
    },
  };
}

/** Also for callers without a compiler: a text as port would be the name of a socket. */
const optionRules: PlainRules = {
  seed: ["a seed", () => true],
  port: [
    "a whole number from 0 to 65535",
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
  ],
  startsAt: ["a valid Date", (value) => value instanceof Date && !Number.isNaN(value.getTime())],
  switches: ["an object", (value) => isRecord(value) && isRecord({ ...value })],
};

function regionOf(name: string): PlatformConnection["region"] {
  return name === "eu" || name === "in" ? name : "us";
}

function requireAppOf(db: Database, appId: string): App {
  checkTexts("an app's own", { appId });
  const found = findApp(db, appId);
  if (found !== undefined) return found;
  const names = listApps(db).map((app) => app.appId);
  throw new Error(`The platform has no app ${appId}. It has: ${names.join(", ") || "none"}.`);
}

function refuseTakenIds(db: Database, contents: AppContents, appId: string) {
  for (const { id, generation = 2 } of contents.webhooks ?? []) {
    if (id !== undefined && findWebhook({ db, appId }, generation, id) !== undefined) {
      throw new Error(`The app ${appId} has a webhook ${id} already.`);
    }
  }
}

function firstIn({ apps }: Seed) {
  return apps[0]?.appId ?? "";
}

function contentsOf(db: Database, appId: string): KnownContents {
  return {
    isAddition: true,
    uids: listFirstUsers({ db, appId }, -1).map(({ uid }) => uid),
    webhooks: listWebhooks({ db, appId }, 1).length + listWebhooks({ db, appId }, 2).length,
  };
}
