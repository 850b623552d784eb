import { badRequest, toItemFailure, userNotFound } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { optionalTexts } from "../http/fields.ts";
import type { AppCall } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services.ts";
import {
  countMembers,
  findGroup,
  findMember,
  type Group,
  type MemberScope,
  putBan,
  putGroup,
  putMember,
} from "../store/groups.ts";
import { findActiveUser, systemUser, type User } from "../store/users.ts";
import { emitGroupEvent } from "../webhooks/group-events.ts";
import { storeActionMessage } from "./message-store.ts";
import { groupConversationId, userEntity } from "./show.ts";

/** The uids a call adds, by what becomes of them. A uid named twice keeps its highest place. */
export type MemberLists = Record<ListName, string[]>;

type ListName = (typeof listNames)[number];

const listNames = ["admins", "moderators", "participants", "usersToBan"] as const;

/** Reads the four arrays: at most 25 uids over all. @see platform facts: chat-api §4 add-group-members, §5 */
export function readMemberLists(body: JsonObject): MemberLists {
  const lists: MemberLists = { admins: [], moderators: [], participants: [], usersToBan: [] };
  const taken = new Set<string>();
  for (const name of listNames) {
    for (const uid of optionalTexts(body, name) ?? []) {
      if (taken.has(uid)) continue;
      taken.add(uid);
      lists[name].push(uid);
    }
  }
  if (taken.size > maxUidsPerCall)
    throw badRequest({ members: `At most ${maxUidsPerCall} uids are allowed per call.` });
  return lists;
}

/** Adds and bans as asked. A failing uid does not fail the others; each added one makes an action message and an event. */
export function addMembers(call: AppCall, guid: string, lists: MemberLists): JsonObject {
  const results: JsonObject = {};
  for (const name of listNames) {
    if (lists[name].length === 0) continue;
    results[name] = Object.fromEntries(lists[name].map((uid) => [uid, addOne(call, guid, name, uid)]));
  }
  return results;
}

function addOne(call: AppCall, guid: string, list: ListName, uid: string): JsonObject {
  try {
    const user = findActiveUser(call.db, call.app.appId, uid.toLowerCase());
    if (user === undefined) throw userNotFound(uid);
    if (list === "usersToBan") {
      putBan(call.db, call.app.appId, { guid, uid: user.uid, bannedAt: nowSeconds(call) });
      return { success: true };
    }
    return { success: true, data: addMember(call, guid, user, scopeOf[list]) };
  } catch (error) {
    if (error instanceof PlatformError) return toItemFailure(error);
    throw error;
  }
}

function addMember(call: AppCall, guid: string, user: User, scope: MemberScope): JsonObject {
  if (findMember(call.db, call.app.appId, guid, user.uid) !== undefined) {
    throw new PlatformError(
      "ERR_ALREADY_JOINED",
      `The user ${user.uid} has already joined the group ${guid}.`,
    );
  }
  putMember(call.db, call.app.appId, { guid, uid: user.uid, scope, joinedAt: nowSeconds(call) });
  const group = recountMembers(call, guid);
  const by = call.actor ?? systemUser;
  const action = storeActionMessage(call, call.app, {
    by,
    recipient: { type: "group", group },
    conversationId: groupConversationId(guid),
    type: "groupMember",
    action: "added",
    on: userEntity(user),
  });
  emitGroupEvent(call, call.app, { trigger: "group_member_added", group, members: [user], by });
  return action;
}

/** Brings a group's `membersCount` up to date and gives the group. */
export function recountMembers(call: AppCall, guid: string): Group {
  const group = findGroup(call.db, call.app.appId, guid);
  if (group === undefined) throw new Error(`The group ${guid} vanished while its members were counted.`);
  const counted = { ...group, membersCount: countMembers(call.db, call.app.appId, guid) };
  putGroup(call.db, call.app.appId, counted);
  return counted;
}

const maxUidsPerCall = 25;

const scopeOf = { admins: "admin", moderators: "moderator", participants: "participant" } as const;
