import { type ApartSeed, seedApart } from "./apart.ts";
import { recordChanged, recordStored } from "./chat/message-store.ts";
import { defined, type JsonObject, omit } from "./json.ts";
import { createApp } from "./management/apps.ts";
import { nowSeconds, type Services, servicesOf } from "./services/services.ts";
import { findApp } from "./store/apps.ts";
import { type Bot, findBot, groupSettings, putBot } from "./store/bots.ts";
import { type AppData, deleteRows, getDocument, putDocument } from "./store/database.ts";
import {
  countMembers,
  deleteMember,
  findGroup,
  findMember,
  isBanned,
  type MemberScope,
  putBan,
  putGroup,
  putMember,
} from "./store/groups.ts";
import { findMessage, type Message, skipMessageIds } from "./store/messages.ts";
import { findUser, putUser, systemUser } from "./store/users.ts";
import { addTrigger, findWebhook, type Generation, saveWebhook, setActiveEngine } from "./store/webhooks.ts";
import { groupConversationId } from "./wire/show.ts";

/** The initial contents of a platform. */
export type Seed = {
  management: { key: string; secret: string };
  apps: readonly AppSeed[];
};

/** One app's contents. Keys are 40 hex characters. */
export type AppSeed = ApartSeed & {
  appId: string;
  region: "us" | "eu" | "in";
  name: string;
  fullAccessKey: string;
  authOnlyKey: string;
  roles?: readonly { role: string; name: string }[];
  users?: readonly UserSeed[];
  groups?: readonly GroupSeed[];
  webhooks?: readonly WebhookSeed[];
  /** Default: current. */
  engine?: "legacy" | "current";
  bots?: readonly BotSeed[];
  /** Earlier messages, as the platform shows them. */
  messages?: readonly Message[];
};

/** `role` is `default` by default. */
export type UserSeed = {
  uid: string;
  name: string;
  avatar?: string;
  role?: string;
  /** Default: offline. */
  status?: "online" | "offline";
  tags?: string[];
  metadata?: JsonObject;
};

/** The owner is the first admin; `members` maps uid to scope. A banned user is no member. */
export type GroupSeed = {
  guid: string;
  name: string;
  type?: "public" | "private" | "password";
  password?: string;
  owner?: string;
  members?: Readonly<Record<string, MemberScope>>;
  banned?: readonly string[];
};

/** `generation`: 2 (the current engine) by default. */
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

/** A bot and its user. Unlike on the platform, it is enabled, and has basic authentication, unless false. */
type BotSeed = Pick<Bot, "uid" | "username" | "password" | "enabled" | "useBasicAuth"> & {
  name: string;
  webhookURL?: string;
  groupChatSetting?: keyof typeof groupSettings;
};

/** Keeps existing apps unchanged. Fires no events. */
export function applySeed(services: Services, seed: Seed): void {
  services.db.transaction(() => {
    services.db.put("management_keys", seed.management);
    for (const app of seed.apps) {
      if (findApp(services.db, app.appId) === undefined) addToApp(services, app);
    }
  });
  services.redactor.refresh();
}

type Additional = { lastMessageId?: string; hasLatestEdits?: boolean };

/** Adds what is missing; the rest stays, except messages changed since. Fires no events. May be repeated. */
export function addToApp(services: Services, app: AppSeed & Additional): void {
  const { db } = services;
  const at = nowSeconds(services);
  const { appId, region, name } = app;
  const data = { db, appId };
  db.transaction(() => {
    if (findApp(db, appId) === undefined) {
      const keys = { fullAccess: app.fullAccessKey, authOnly: app.authOnlyKey };
      createApp(services, { appId, region, name, createdAt: at }, keys);
      if (app.engine === "legacy") setActiveEngine(data, 1);
    }
    for (const role of app.roles ?? []) {
      if (getDocument(data, "role", role.role) === undefined) {
        putDocument(data, "role", role.role, { ...role, createdAt: at });
      }
    }
    for (const user of app.users ?? []) addUser(data, user, at);
    for (const bot of app.bots ?? []) addBot(data, bot, at);
    for (const group of app.groups ?? []) addGroup(data, group, at);
    for (const message of app.messages ?? []) addMessage(data, message, app.hasLatestEdits);
    if (app.lastMessageId !== undefined) skipMessageIds(data, app.lastMessageId);
    for (const webhook of app.webhooks ?? []) addWebhook(data, webhook, at);
    seedApart(servicesOf(services, { appId, region, name, createdAt: at }), app);
  });
  services.redactor.refresh();
}

function addUser(data: AppData, user: UserSeed, at: number) {
  const { uid, name, role = "default", status = "offline", ...profile } = user;
  if (findUser(data, uid) !== undefined) return;
  putUser(data, { uid, name, status, role, createdAt: at, ...profile });
}

function addBot(data: AppData, seed: BotSeed, at: number) {
  const { uid, name, webhookURL: url, groupChatSetting = "none", ...rest } = seed;
  addUser(data, { uid, name }, at);
  if (findBot(data, uid) !== undefined) return;
  putBot(data, { uid, ...rest, ...defined({ url }), groupMessages: groupSettings[groupChatSetting] });
}

function addGroup(data: AppData, seed: GroupSeed, at: number) {
  const { guid, name, type = "public", owner = systemUser.uid, members = {}, banned = [] } = seed;
  const group = findGroup(data, guid) ?? {
    guid,
    name,
    type,
    owner,
    membersCount: 0,
    conversationId: groupConversationId(guid),
    createdAt: at,
  };
  for (const uid of banned) {
    if (!isBanned(data, guid, uid)) putBan(data, { guid, uid, bannedAt: at });
    deleteMember(data, guid, uid);
  }
  for (const [uid, scope] of Object.entries(members)) {
    if (findMember(data, guid, uid) === undefined && !isBanned(data, guid, uid)) {
      putMember(data, { guid, uid, scope, joinedAt: at });
    }
  }
  putGroup(data, { ...group, membersCount: countMembers(data, guid) }, seed.password);
}

/** Replaces a known message by a later edit, or any with `hasLatestEdits`; a deletion keeps its content. */
function addMessage(data: AppData, message: Message, hasLatestEdits = false) {
  const known = findMessage(data, message.id);
  if (known !== undefined) {
    const { editedAt, deletedAt, deletedBy } = message;
    const isEdit = editedAt !== undefined && (hasLatestEdits || editedAt > (known.editedAt ?? 0));
    const edited = isEdit ? { ...known, ...message } : known;
    if (deletedAt === undefined || known.deletedAt !== undefined) return recordChanged(data, known, edited);
    deleteRows(data, "pinned_messages", { messageId: known.id });
    const kept = omit(edited, "pinnedBy", "pinnedAt");
    return recordChanged(data, known, { ...kept, deletedAt, ...defined({ deletedBy }) });
  }
  skipMessageIds(data, message.id);
  recordStored(data, message);
}

function addWebhook(data: AppData, seed: WebhookSeed, at: number) {
  const { id, name = id, url, username, password, retryOnFailure = true, generation = 2, triggers } = seed;
  if (findWebhook(data, generation, id) !== undefined) return;
  const useBasicAuth = username !== undefined;
  const settings = { useBasicAuth, username, password, enabled: true, retryOnFailure };
  const webhook = { id, generation, name, url, ...settings, createdAt: at, updatedAt: at };
  saveWebhook(data, webhook);
  for (const trigger of triggers) addTrigger(data, webhook, trigger);
}
