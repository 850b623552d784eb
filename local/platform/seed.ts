import type { JsonObject } from "./json.ts";
import { createApp } from "./management/create-app.ts";
import { nowSeconds, type Services } from "./services/services.ts";
import { findApp, putManagementKey } from "./store/apps.ts";
import { type Bot, putBot } from "./store/bots.ts";
import type { Database } from "./store/database.ts";
import { putDocument } from "./store/documents.ts";
import { setActiveEngine } from "./store/engine.ts";
import { type MemberScope, putGroup, putMember } from "./store/groups.ts";
import { putUser, systemUser } from "./store/users.ts";
import { addTrigger, type Generation, saveWebhook } from "./store/webhooks.ts";
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

/** Says one bot; its user is made with it. `groupMessages` is `none` when absent. */
export type BotSeed = {
  uid: string;
  name: string;
  url: string;
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
      if (findApp(db, app.appId) === undefined) addApp(services, app);
    }
  });
}

function addApp(services: Services, app: AppSeed): void {
  const { db } = services;
  const at = nowSeconds(services);
  const { appId, region, name } = app;
  createApp(
    services,
    { appId, region, name, createdAt: at },
    { fullAccess: app.fullAccessKey, authOnly: app.authOnlyKey },
  );
  for (const role of app.roles ?? []) putDocument(db, appId, "role", role.role, { ...role, createdAt: at });
  for (const user of app.users ?? []) {
    const { uid, name, role = "default", ...profile } = user;
    putUser(db, appId, { uid, name, status: "offline", role, createdAt: at, ...profile });
  }
  for (const bot of app.bots ?? []) addBot(db, appId, bot, at);
  for (const group of app.groups ?? []) addGroup(db, appId, group, at);
  for (const webhook of app.webhooks ?? []) addWebhook(db, appId, webhook, at);
  if (app.engine === "legacy") setActiveEngine(db, appId, 1);
}

function addBot(db: Database, appId: string, seed: BotSeed, at: number): void {
  const { uid, name, url, username, password, groupMessages = "none" } = seed;
  putUser(db, appId, { uid, name, status: "offline", role: "default", createdAt: at });
  const credentials = username === undefined || password === undefined ? undefined : { username, password };
  putBot(db, appId, { uid, url, credentials, groupMessages });
}

function addGroup(db: Database, appId: string, group: GroupSeed, at: number): void {
  const { guid, name, type = "public", owner = systemUser.uid, members = {} } = group;
  const memberships = Object.entries(members);
  putGroup(
    db,
    appId,
    {
      guid,
      name,
      type,
      owner,
      membersCount: memberships.length,
      conversationId: groupConversationId(guid),
      createdAt: at,
    },
    group.password,
  );
  for (const [uid, scope] of memberships) putMember(db, appId, { guid, uid, scope, joinedAt: at });
}

function addWebhook(db: Database, appId: string, seed: WebhookSeed, at: number): void {
  const webhook = {
    id: seed.id,
    generation: seed.generation ?? 2,
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
