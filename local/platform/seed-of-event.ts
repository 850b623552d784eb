import { defined, isJsonObject, type JsonObject, objectOf } from "./json.ts";
import type { AppSeed, GroupSeed, UserSeed } from "./seed.ts";
import { type MemberScope, memberScopes } from "./store/groups.ts";
import { isMessage, type Message } from "./store/messages.ts";
import { systemUser } from "./store/users.ts";

/** What an event shows of an app. */
export type EventSeed = Pick<AppSeed, "appId"> &
  Partial<Pick<AppSeed, "region">> &
  Required<Pick<AppSeed, "roles" | "users" | "groups" | "messages">>;

/**
 * Returns the app, users, groups, memberships, bans and messages that the event, a delivery's body, names.
 * @throws TypeError if neither the event nor `appId` names the app
 */
export function seedOfEvent(event: object, appId?: string): EventSeed {
  const body = objectOf(event);
  const app = appId ?? textOf(body.appId) ?? textOf(objectOf(body.head).appId);
  if (app === undefined) throw new TypeError("The event does not say which app it happened in.");
  const found: Found = { users: new Map(), groups: new Map(), messages: new Map() };
  collect(found, body);
  readMembership(found, String(body.trigger), objectOf(body.data));
  const users = [...found.users.values()];
  const roles = new Set(
    users.flatMap(({ role }) => (role === undefined || role === "default" ? [] : [role])),
  );
  const region = regions.find((name) => name === body.region);
  return {
    appId: app,
    ...defined({ region }),
    roles: [...roles].map((role) => ({ role, name: role })),
    users,
    groups: [...found.groups.values()],
    messages: [...found.messages.values()],
  };
}

type FoundGroup = GroupSeed & { members: Record<string, MemberScope>; banned: string[] };
type Found = {
  users: Map<string, UserSeed>;
  groups: Map<string, FoundGroup>;
  messages: Map<string, Message>;
};

// Some samples omit `updatedAt`.
type WrittenMessage = Omit<Message, "updatedAt"> & { updatedAt?: number };

const regions = ["us", "eu", "in"] as const;

// Fields with a uid anywhere (docs/internals/platform/events.md#messages-in-events,
// docs/internals/platform/events.md#groups-in-events).
const uidFields = [
  "sender",
  "messageSender",
  "owner",
  "oldOwner",
  "updatedBy",
  "editedBy",
  "deletedBy",
  "pinnedBy",
  "unpinnedBy",
  "caller",
] as const;

function collect(found: Found, value: unknown) {
  if (Array.isArray(value)) for (const item of value) collect(found, item);
  if (!isJsonObject(value)) return;
  if (typeof value.uid === "string") noteUser(found, value.uid, value);
  if (typeof value.guid === "string") noteGroup(found, value.guid, value);
  for (const field of uidFields) noteUser(found, value[field]);
  noteReceiver(found, value.receiver, value.receiverType);
  noteReceiver(found, value.callee, value.calleeType);
  if (isWrittenMessage(value)) noteMessage(found, value);
  for (const item of Object.values(value)) collect(found, item);
}

function noteUser(found: Found, uid: unknown, shown: JsonObject = {}) {
  if (typeof uid !== "string" || uid === "" || uid === systemUser.uid) return;
  const { name, avatar, role, metadata } = shown;
  const known = found.users.get(uid);
  const user: UserSeed = {
    uid,
    name: textOf(name) ?? known?.name ?? uid,
    ...(typeof avatar === "string" && { avatar }),
    ...(typeof role === "string" && { role }),
    ...(isJsonObject(metadata) && { metadata }),
  };
  found.users.set(uid, { ...known, ...user });
}

function noteGroup(found: Found, guid: string, shown: JsonObject = {}) {
  const known = found.groups.get(guid) ?? { guid, name: guid, members: {}, banned: [] };
  const owner = textOf(shown.owner);
  const group: FoundGroup = {
    ...known,
    name: textOf(shown.name) ?? known.name,
    ...((shown.type === "public" || shown.type === "private") && { type: shown.type }),
    ...defined({ owner }),
  };
  if (owner !== undefined && owner !== systemUser.uid) group.members[owner] = "admin";
  found.groups.set(guid, group);
  return group;
}

function noteReceiver(found: Found, receiver: unknown, type: unknown) {
  if (typeof receiver !== "string" || receiver === "") return;
  if (type === "group") noteGroup(found, receiver);
  else if (type === "user") noteUser(found, receiver);
}

// A sender counts as a group's member, until an event contradicts it.
function noteMessage(found: Found, shown: WrittenMessage) {
  const message = { updatedAt: shown.sentAt, ...shown };
  if (!found.messages.has(message.id)) found.messages.set(message.id, message);
  if (message.receiverType !== "group" || message.sender === systemUser.uid) return;
  noteGroup(found, message.receiver).members[message.sender] ??= "participant";
}

// Accepts decimal ids only: samples of action messages have others, of no stored message.
function isWrittenMessage(value: JsonObject): value is WrittenMessage {
  return (
    isMessage(value) &&
    typeof value.id === "string" &&
    /^\d{1,15}$/.test(value.id) &&
    typeof value.sender === "string" &&
    typeof value.receiver === "string" &&
    typeof value.category === "string" &&
    typeof value.type === "string" &&
    typeof value.sentAt === "number" &&
    (value.updatedAt === undefined || typeof value.updatedAt === "number")
  );
}

// Reads the membership after the event (docs/internals/platform/events.md#group-events).
function readMembership(found: Found, trigger: string, data: JsonObject) {
  const guid = textOf(objectOf(data.group).guid);
  if (guid === undefined) return;
  if (trigger === "group_deleted") {
    found.groups.delete(guid);
    return;
  }
  const group = noteGroup(found, guid);
  const by = textOf(objectOf(data.by).uid);
  if (by !== undefined && by !== systemUser.uid) group.members[by] ??= "admin";
  for (const [uid, member] of Object.entries(objectOf(data.members))) {
    const scope = memberScopes.find((name) => name === objectOf(member).scope) ?? "participant";
    if (stays.has(trigger)) group.members[uid] ??= scope;
    if (trigger === "group_member_banned") {
      group.banned.push(uid);
      delete group.members[uid];
    }
  }
}

const stays = new Set([
  "group_created",
  "group_member_added",
  "group_member_joined",
  "group_member_scope_changed",
]);

function textOf(value: unknown) {
  return typeof value === "string" && value !== "" ? value : undefined;
}
