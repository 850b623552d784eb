import { recordStored } from "./chat/message-effects.ts";
import type { JsonObject } from "./json.ts";
import { createApp } from "./management/create-app.ts";
import { nowSeconds, type Services } from "./services/services.ts";
import { findApp, putManagementKey } from "./store/apps.ts";
import { type Bot, findBot, putBot } from "./store/bots.ts";
import type { Database } from "./store/database.ts";
import { getDocument, putDocument } from "./store/documents.ts";
import { setActiveEngine } from "./store/engine.ts";
import {
  countMembers,
  findGroup,
  findMember,
  type MemberScope,
  putBan,
  putGroup,
  putMember,
} from "./store/groups.ts";
import { findMessage, type Message, putMessage, skipMessageIds } from "./store/messages.ts";
import { findUser, putUser, systemUser } from "./store/users.ts";
import { addTrigger, findWebhook, type Generation, saveWebhook } from "./store/webhooks.ts";
import { groupConversationId } from "./wire/show.ts";

/** Says what a fresh platform holds. */
export type Seed = {
  management: { key: string; secret: string };
  apps: readonly AppSeed[];
};

/** Says what one app holds. Keys are 40 hex characters. */
export type AppSeed = {
  appId: string;
  region: "us" | "eu" | "in";
  name: string;
  fullAccessKey: string;
  authOnlyKey: string;
  roles?: readonly { role: string; name: string }[];
  users?: readonly UserSeed[];
  groups?: readonly GroupSeed[];
  webhooks?: readonly WebhookSeed[];
  /** The webhook engine that runs; the current one when absent. */
  engine?: "legacy" | "current";
  bots?: readonly BotSeed[];
  /** Messages that were written before, as the platform shows them. */
  messages?: readonly Message[];
};

/** Says one user; `role` is `default` when absent. */
export type UserSeed = {
  uid: string;
  name: string;
  avatar?: string;
  role?: string;
  tags?: string[];
  metadata?: JsonObject;
};

/** Says one group; the owner is the first admin, `members` maps uid to scope. */
export type GroupSeed = {
  guid: string;
  name: string;
  type?: "public" | "private" | "password";
  password?: string;
  owner?: string;
  members?: Readonly<Record<string, MemberScope>>;
  banned?: readonly string[];
};

/** Says one webhook with its triggers; `generation` 2 (the current engine) when absent. */
export type WebhookSeed = {
  id: string;
  name?: string;
  url: string;
  username?: string;
  password?: string;
  retryOnFailure?: boolean;
  generation?: Generation;
  triggers: readonly string[];
};

/** Says one bot; its user is made with it. Without `url` it hears nothing; `groupMessages` is `none` when absent. */
export type BotSeed = {
  uid: string;
  name: string;
  url?: string;
  username?: string;
  password?: string;
  groupMessages?: Bot["groupMessages"];
};

/** Writes the seed's apps that do not exist yet; an app that is there is left as it is. Fires no events. */
export function applySeed(services: Services, seed: Seed): void {
  const { db } = services;
  db.transaction(() => {
    putManagementKey(db, seed.management.key, seed.management.secret);
    for (const app of seed.apps) {
      if (findApp(db, app.appId) === undefined) addToApp(services, app);
    }
  });
}

/**
 * Writes an app, or what it lacks when it exists: what is there already is left as it is, its keys and engine too. Fires
 * no events. May be repeated.
 */
export function addToApp(services: Services, app: AppSeed): void {
  const { db } = services;
  const at = nowSeconds(services);
  const { appId, region, name } = app;
  db.transaction(() => {
    if (findApp(db, appId) === undefined) {
      const keys = { fullAccess: app.fullAccessKey, authOnly: app.authOnlyKey };
      createApp(services, { appId, region, name, createdAt: at }, keys);
      if (app.engine === "legacy") setActiveEngine(db, appId, 1);
    }
    for (const role of app.roles ?? []) {
      if (getDocument(db, appId, "role", role.role) === undefined) {
        putDocument(db, appId, "role", role.role, { ...role, createdAt: at });
      }
    }
    for (const user of app.users ?? []) addUser(db, appId, user, at);
    for (const bot of app.bots ?? []) addBot(db, appId, bot, at);
    for (const group of app.groups ?? []) addGroup(db, appId, group, at);
    for (const message of app.messages ?? []) addMessage(db, appId, message);
    for (const webhook of app.webhooks ?? []) addWebhook(db, appId, webhook, at);
  });
}

function addUser(db: Database, appId: string, user: UserSeed, at: number): void {
  const { uid, name, role = "default", ...profile } = user;
  if (findUser(db, appId, uid) !== undefined) return;
  putUser(db, appId, { uid, name, status: "offline", role, createdAt: at, ...profile });
}

function addBot(db: Database, appId: string, seed: BotSeed, at: number): void {
  const { uid, name, url, username, password, groupMessages = "none" } = seed;
  addUser(db, appId, { uid, name }, at);
  if (findBot(db, appId, uid) !== undefined) return;
  const credentials = username === undefined || password === undefined ? undefined : { username, password };
  putBot(db, appId, { uid, url, credentials, groupMessages });
}

function addGroup(db: Database, appId: string, seed: GroupSeed, at: number): void {
  const { guid, name, type = "public", owner = systemUser.uid, members = {}, banned = [] } = seed;
  const group = findGroup(db, appId, guid) ?? {
    guid,
    name,
    type,
    owner,
    membersCount: 0,
    conversationId: groupConversationId(guid),
    createdAt: at,
  };
  for (const [uid, scope] of Object.entries(members)) {
    if (findMember(db, appId, guid, uid) === undefined) {
      putMember(db, appId, { guid, uid, scope, joinedAt: at });
    }
  }
  for (const uid of banned) putBan(db, appId, { guid, uid, bannedAt: at });
  putGroup(db, appId, { ...group, membersCount: countMembers(db, appId, guid) }, seed.password);
}

function addMessage(db: Database, appId: string, message: Message): void {
  if (findMessage(db, appId, message.id) !== undefined) return;
  skipMessageIds(db, appId, message.id);
  putMessage(db, appId, message);
  recordStored(db, appId, message);
}

function addWebhook(db: Database, appId: string, seed: WebhookSeed, at: number): void {
  const generation = seed.generation ?? 2;
  if (findWebhook(db, appId, generation, seed.id) !== undefined) return;
  const webhook = {
    id: seed.id,
    generation,
    name: seed.name ?? seed.id,
    url: seed.url,
    useBasicAuth: seed.username !== undefined,
    username: seed.username,
    password: seed.password,
    enabled: true,
    retryOnFailure: seed.retryOnFailure ?? true,
    createdAt: at,
    updatedAt: at,
  } as const;
  saveWebhook(db, appId, webhook);
  for (const trigger of seed.triggers) addTrigger(db, appId, webhook, trigger);
}
