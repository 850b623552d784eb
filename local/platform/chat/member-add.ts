import { badRequest } from "../errors/platform-error.ts";
import { optionalTexts } from "../http/fields.ts";
import type { JsonObject } from "../json.ts";
import type { Acting } from "./group-rights.ts";
import { itemResult } from "./item-result.ts";
import { banUser, enterGroup } from "./membership.ts";
import { requireUserByUid } from "./user-lookup.ts";

/** The uids a request adds, by what becomes of them. A uid named twice keeps its highest place. */
export type MemberLists = Record<ListName, string[]>;

type ListName = (typeof listNames)[number];

const listNames = ["admins", "moderators", "participants", "usersToBan"] as const;

/**
 * Reads the four arrays: at most 25 uids over all.
 * @see docs/platform/users-and-groups.md#members, docs/platform/ids-and-limits.md#quantities
 */
export function readMemberLists(body: JsonObject): MemberLists {
  const lists: MemberLists = { admins: [], moderators: [], participants: [], usersToBan: [] };
  const taken = new Set<string>();
  for (const name of listNames) {
    const uids = optionalTexts(body, name);
    // One version of the specification asks for at least one uid in each array that is sent.
    if (uids?.length === 0) throw badRequest({ [name]: `The ${name} must have at least 1 item.` });
    for (const uid of uids ?? []) {
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
export function addListedMembers(acting: Acting, guid: string, lists: MemberLists): JsonObject {
  const results: JsonObject = {};
  for (const name of listNames) {
    if (lists[name].length === 0) continue;
    results[name] = Object.fromEntries(lists[name].map((uid) => [uid, addOne(acting, guid, name, uid)]));
  }
  return results;
}

function addOne(acting: Acting, guid: string, list: ListName, uid: string): JsonObject {
  return itemResult(() => {
    const user = requireUserByUid(acting, uid);
    if (list !== "usersToBan") {
      return { data: enterGroup(acting, guid, { user, scope: scopeOf[list], how: "added" }) };
    }
    banUser(acting, guid, user);
    return {};
  });
}

const maxUidsPerCall = 25;

const scopeOf = { admins: "admin", moderators: "moderator", participants: "participant" } as const;
