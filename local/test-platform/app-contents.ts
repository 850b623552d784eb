import { checkSeed, SeedError } from "../platform/check-seed.ts";
import { defaultSeed } from "../platform/default-seed.ts";
import type { Seed } from "../platform/seed.ts";
import { currentTriggers, legacyTriggers } from "../platform/webhooks/trigger-table.ts";

/** What an app holds; every field may be left out. */
export interface AppContents {
  /** Default: local-app. */
  readonly appId?: string;
  /** Default: us. */
  readonly region?: "us" | "eu" | "in";
  /** Default: the app's id. */
  readonly name?: string;
  /** 40 hexadecimal characters. Default: the key of the app `local-app`. */
  readonly fullAccessKey?: string;
  /** 40 hexadecimal characters. Default: the key of the app `local-app`. */
  readonly authOnlyKey?: string;
  /** Which of the two webhook engines runs. Default: current. */
  readonly engine?: "legacy" | "current";
  readonly roles?: readonly { readonly role: string; readonly name: string }[];
  readonly users?: readonly UserContents[];
  readonly groups?: readonly GroupContents[];
  readonly webhooks?: readonly WebhookContents[];
  readonly bots?: readonly BotContents[];
}

/** A user. */
export interface UserContents {
  /** Small letters, digits, dashes and underscores; at most 100. */
  readonly uid: string;
  /** Default: the uid. */
  readonly name?: string;
  readonly avatar?: string;
  /** Default: default. */
  readonly role?: string;
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A group. Whom it names has to be a user. */
export interface GroupContents {
  /** Small letters, digits, dashes and underscores; at most 100. */
  readonly guid: string;
  /** Default: the guid. */
  readonly name?: string;
  /** Default: public. */
  readonly type?: "public" | "private" | "password";
  readonly password?: string;
  readonly owner?: string;
  /** Scopes by uid. */
  readonly members?: Readonly<Record<string, "admin" | "moderator" | "participant">>;
}

/** A webhook: where the platform tells what happens. */
export interface WebhookContents {
  /** Default: webhook-1 and so on, by its place. */
  readonly id?: string;
  /** `http:` or `https:`. */
  readonly url: string;
  /** Default: all of its engine. */
  readonly triggers?: readonly string[];
  /** Sent with every delivery, by Basic authentication. Default: none is sent. */
  readonly username?: string;
  readonly password?: string;
  /** Whether a delivery that failed is tried again, after 10 and 30 seconds. Default: true. */
  readonly retryOnFailure?: boolean;
  /** The engine it belongs to: 2 is the current one. Default: 2. */
  readonly generation?: 1 | 2;
}

/** A bot, whose user is made with it. */
export interface BotContents {
  readonly uid: string;
  /** Default: the uid. */
  readonly name?: string;
  /** Where it hears of messages. Default: it hears nothing. */
  readonly url?: string;
  readonly username?: string;
  readonly password?: string;
  /** Which messages of its groups it hears of. Default: none. */
  readonly groupMessages?: "none" | "mentioned" | "all";
}

/** What a platform begins with: one app, or several. */
export type PlatformContents = AppContents | { readonly apps: readonly AppContents[] };

/** What an app holds already. */
export interface KnownContents {
  readonly uids: readonly string[];
  /** How many there are. */
  readonly webhooks: number;
}

/**
 * Fills in what contents leave out, and checks them.
 * @throws SeedError telling every mistake with its place, such as `apps[0].users[2].uid`
 */
export function readPlatformContents(
  contents: PlatformContents,
  known: KnownContents = { uids: [], webhooks: 0 },
): Seed {
  try {
    return readContents(contents, known);
  } catch (error) {
    if (error instanceof SeedError) throw error;
    throw new SeedError("seed: must be plain data that can be read and written as JSON");
  }
}

function readContents(contents: PlatformContents, known: KnownContents): Seed {
  const isOne = typeof contents !== "object" || contents === null || !("apps" in contents);
  const apps: unknown = isOne ? [contents] : contents.apps;
  return checkSeed(
    { apps: Array.isArray(apps) ? apps.map((app: unknown) => fillApp(app, known)) : apps },
    known.uids,
  );
}

function fillApp(app: unknown, known: KnownContents): unknown {
  if (!isObject(app)) return app;
  const { appId = defaultSeed.apps[0].appId, region = "us" } = app;
  return {
    appId,
    region,
    name: appId,
    ...app,
    ...fillEach(app, "users", ({ uid }) => ({ name: uid })),
    ...fillEach(app, "groups", ({ guid }) => ({ name: guid })),
    ...fillEach(app, "bots", ({ uid }) => ({ name: uid })),
    ...fillEach(app, "webhooks", ({ generation }, place) => ({
      id: `webhook-${known.webhooks + place + 1}`,
      triggers: Object.keys(generation === 1 ? legacyTriggers : currentTriggers),
    })),
  };
}

function fillEach(
  app: Readonly<Record<string, unknown>>,
  field: string,
  defaultsOf: (item: Readonly<Record<string, unknown>>, place: number) => object,
): Readonly<Record<string, unknown>> {
  const items = app[field];
  if (!Array.isArray(items)) return {};
  return {
    [field]: items.map((item: unknown, place) =>
      isObject(item) ? { ...defaultsOf(item, place), ...item } : item,
    ),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
