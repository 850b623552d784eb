import { badRequest, groupNotFound, userNotFound } from "../errors/platform-error.ts";
import {
  optionalObject,
  optionalTags,
  optionalText,
  readFields,
  requiredChoice,
  requiredId,
  requiredText,
  text,
} from "../http/fields.ts";
import type { JsonObject } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { findGroup, type Group, putGroup } from "../store/groups.ts";
import type { Recipient } from "../store/messages.ts";
import { findUser, putUser, systemUser, type User } from "../store/users.ts";
import { groupConversationId } from "../wire/show.ts";
import { groupTypes, readGroupPassword, readGroupProfile, requireRole } from "./lookup.ts";

/** Also accepts digits in a text, as printed. */
export function optionalSeconds(body: JsonObject, field: string): number | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  const seconds = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== "number" || !Number.isInteger(seconds) || seconds < 0) {
    throw badRequest({ [field]: `The ${field} must be a unix timestamp in seconds.` });
  }
  return seconds;
}

/** Overwrites an existing user (assumed). */
export function importUser(request: AppServices, body: JsonObject): User {
  const deactivatedAt = optionalSeconds(body, "deactivatedAt");
  const user: User = {
    uid: requiredId(body, "uid"),
    name: requiredText(body, "name", 100),
    status: "offline",
    role: requireRole(request, optionalText(body, "role") ?? "default"),
    createdAt: optionalSeconds(body, "createdAt") ?? nowSeconds(request),
    ...readFields(body, {
      avatar: text(3_000),
      link: text(3_000),
      metadata: optionalObject,
      tags: optionalTags,
      lastActiveAt: optionalSeconds,
    }),
    ...(deactivatedAt !== undefined && deactivatedAt !== 0 && { deactivatedAt }),
  };
  putUser(request, user);
  return user;
}

/** Keeps members (assumed). */
export function importGroup(request: AppServices, body: JsonObject, ownerDetails?: JsonObject): Group {
  const guid = requiredId(body, "guid");
  const type = requiredChoice(body, "type", groupTypes);
  const password = readGroupPassword(body, type);
  const owner = optionalText(body, "owner")?.toLowerCase();
  if (owner !== undefined && owner !== systemUser.uid) ensureUser(request, owner, ownerDetails);
  const group: Group = {
    guid,
    name: requiredText(body, "name", 100),
    type,
    ...readGroupProfile(body),
    membersCount: findGroup(request, guid)?.membersCount ?? 0,
    conversationId: groupConversationId(guid),
    createdAt: optionalSeconds(body, "createdAt") ?? nowSeconds(request),
    owner: owner ?? systemUser.uid,
  };
  putGroup(request, group, password);
  return group;
}

/** Also finds a deactivated user. */
export function ensureUser(request: AppServices, uid: string, details: JsonObject | undefined): User {
  const known = findUser(request, uid.toLowerCase());
  if (known !== undefined) return known;
  if (details === undefined) throw userNotFound(uid);
  return importUser(request, details);
}

export function ensureGroup(
  request: AppServices,
  guid: string,
  details: JsonObject | undefined,
  ownerDetails?: JsonObject,
): Group {
  const known = findGroup(request, guid.toLowerCase());
  if (known !== undefined) return known;
  if (details === undefined) throw groupNotFound(guid);
  return importGroup(request, details, ownerDetails);
}

export function ensureRecipient(request: AppServices, body: JsonObject): Recipient {
  const receiver = requiredText(body, "receiver");
  if (body.receiverType === "user") {
    return { type: "user", user: ensureUser(request, receiver, optionalObject(body, "receiverUserDetails")) };
  }
  if (body.receiverType === "group") {
    const details = optionalObject(body, "receiverGroupDetails");
    const ownerDetails = optionalObject(body, "receiverGroupOwnerDetails");
    return { type: "group", group: ensureGroup(request, receiver, details, ownerDetails) };
  }
  throw badRequest({ receiverType: "The receiverType must be user or group." });
}
