import type { AgentSeed, ApiToolSeed } from "../platform/agents/seed-agent.ts";
import { checkSeed, type KnownToSeed, SeedError } from "../platform/check-seed.ts";
import { fillApp } from "../platform/fill-app.ts";
import type { AppSeed, Seed } from "../platform/seed.ts";

/** An app's contents; every field is optional. */
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
  /** Which webhook engine runs. Default: current. */
  readonly engine?: "legacy" | "current";
  readonly roles?: readonly { readonly role: string; readonly name: string }[];
  readonly users?: readonly UserContents[];
  readonly groups?: readonly GroupContents[];
  readonly webhooks?: readonly WebhookContents[];
  readonly bots?: readonly BotContents[];
  /** AI agents. */
  readonly agents?: readonly AgentSeed[];
  /** What agents that the platform runs can call. */
  readonly apiTools?: readonly ApiToolSeed[];
  /** Earlier messages, as the platform shows them. */
  readonly messages?: AppSeed["messages"];
}

/** A user. */
export interface UserContents {
  /** Lower-case letters, digits, dashes and underscores; at most 100. */
  readonly uid: string;
  /** Default: the uid. */
  readonly name?: string;
  readonly avatar?: string;
  /** Default: default. */
  readonly role?: string;
  /** Default: offline. */
  readonly status?: "online" | "offline";
  readonly tags?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A group. The users that it names must exist. */
export interface GroupContents {
  /** Lower-case letters, digits, dashes and underscores; at most 100. */
  readonly guid: string;
  /** Default: the guid. */
  readonly name?: string;
  /** Default: public. */
  readonly type?: "public" | "private" | "password";
  readonly password?: string;
  readonly owner?: string;
  /** Scopes by uid. */
  readonly members?: Readonly<Record<string, "admin" | "moderator" | "participant">>;
  /** uids. Default: none. */
  readonly banned?: readonly string[];
}

/** A webhook of the platform. */
export interface WebhookContents {
  /** Default: webhook-1 and so on, by position. */
  readonly id?: string;
  /** `http:` or `https:`. */
  readonly url: string;
  /** Default: all of its engine. */
  readonly triggers?: readonly string[];
  /** Sent with every delivery as Basic authentication. Default: none. */
  readonly username?: string;
  readonly password?: string;
  /** Whether a failed delivery is retried, after 10 and 30 seconds. Default: true. */
  readonly retryOnFailure?: boolean;
  /** Its engine: 2 is the current one. Default: 2. */
  readonly generation?: 1 | 2;
}

/** A bot and its user. */
export interface BotContents {
  readonly uid: string;
  /** Default: the uid. */
  readonly name?: string;
  /** The address that messages are sent to. Default: none. */
  readonly webhookURL?: string;
  /** Which messages of its groups it receives. Default: none. */
  readonly groupChatSetting?: "allMessages" | "slashedMessages" | "mentionedMessages" | "none";
  /** Default: true, unlike on the platform. */
  readonly enabled?: boolean;
  /** Default: true with a password. */
  readonly useBasicAuth?: boolean;
  readonly username?: string;
  readonly password?: string;
}

/** A platform's initial contents: one app, or several. */
export type PlatformContents = AppContents | { readonly apps: readonly AppContents[] };

/** An app's existing contents. */
export interface KnownContents extends KnownToSeed {
  /** The number of webhooks. */
  readonly webhooks: number;
}

/** @throws SeedError with every mistake and its place, such as `apps[0].users[2].uid` */
export function readPlatformContents(
  contents: PlatformContents,
  known: KnownContents = { uids: [], webhooks: 0, isAddition: false },
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
    { apps: Array.isArray(apps) ? apps.map((app: unknown) => fillApp(app, known.webhooks)) : apps },
    known,
  );
}
