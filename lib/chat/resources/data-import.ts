import * as z from "zod/mini";
import { itemResults } from "../answers.ts";
import { fieldOf } from "../judge-answer.ts";
import type { Family } from "../operation.ts";
import {
  json,
  link,
  opt,
  optional,
  platformId,
  type Schema,
  strictObject,
  tags,
  unixSeconds,
  words,
  yesNo,
} from "../schema.ts";
import { messageData } from "./message-input.ts";

/** @see docs/internals/platform/import-and-metrics.md#import-limits */
const maxEntitiesPerRequest = 50;

/** Times in unix seconds. */
const importedUser = () =>
  strictObject({
    uid: platformId,
    name: words(100),
    ...optional({
      avatar: link,
      link,
      role: platformId,
      createdAt: unixSeconds,
      lastActiveAt: unixSeconds,
      metadata: json,
      tags,
      deactivatedAt: unixSeconds,
    }),
  });

const groupFields = () => ({
  guid: platformId,
  name: words(100),
  icon: opt(link),
  type: z.enum(["public", "password", "private"]),
  password: opt(words(100)),
  owner: opt(platformId),
  createdAt: opt(unixSeconds),
  metadata: opt(json),
  tags: opt(tags),
});

const importedGroup = () => strictObject({ ...groupFields(), groupOwnerDetails: opt(importedUser) });

/** `memberId` is `<guid>_member_<uid>`. */
const importedMember = () =>
  strictObject({
    memberId: words(250),
    guid: platformId,
    uid: platformId,
    scope: opt(z.enum(["admin", "moderator", "participant"])),
    isBanned: opt(yesNo),
    joinedAt: opt(unixSeconds),
    groupDetails: opt(strictObject(groupFields())),
    userDetails: opt(importedUser),
  }).check(
    z.refine((member) => member.memberId === `${member.guid}_member_${member.uid}`, {
      error: "<guid>_member_<uid>",
      path: ["memberId"],
    }),
  );

/**
 * Times in unix seconds, stored unchanged. The platform ends a request at an empty text
 * (docs/internals/platform/import-and-metrics.md#importing).
 */
export const importedMessage = () =>
  strictObject({
    muid: words(100),
    sender: platformId,
    receiverType: z.enum(["user", "group"]),
    receiver: platformId,
    category: opt(z.enum(["message", "custom"])),
    type: opt(words(100)),
    data: opt(messageData),
    tags: opt(tags),
    sentAt: unixSeconds,
    deliveredAt: opt(unixSeconds),
    readAt: opt(unixSeconds),
    senderUserDetails: opt(importedUser),
    receiverUserDetails: opt(importedUser),
    receiverGroupDetails: opt(strictObject(groupFields())),
    receiverGroupOwnerDetails: opt(importedUser),
    mentionedUserDetails: opt(z.record(platformId(), importedUser())),
  }).check(z.refine(({ data }) => data?.text !== "", { error: "not empty", path: ["data", "text"] }));

/** 1–50 entities whose keys equal their ids. */
function keyedBy<Entity, Input, Name extends string>(
  name: Name,
  entity: Schema<Entity, Input>,
): z.ZodMiniRecord<z.ZodMiniString, Schema<Entity, Input>> {
  return z.record(z.string(), entity).check(
    z.refine(
      (map) => Object.keys(map).length >= 1 && Object.keys(map).length <= maxEntitiesPerRequest,
      `an object of 1 to ${maxEntitiesPerRequest} entities`,
    ),
    z.refine(
      (map) => Object.entries(map).every(([key, value]) => fieldOf(value, name) === key),
      `keyed by each entity's own ${name}`,
    ),
  );
}

/**
 * Imports users, then groups, members, messages: 1–50 per call, 60 calls a minute, paced by the client. Check
 * each entity's `success`. See docs/internals/platform/import-and-metrics.md#importing.
 * @example
 * const results = await chat.dataImport.users({ users: { zoe: { uid: "zoe", name: "Zoë" } } });
 * for (const [uid, { success }] of Object.entries(results))
 *   if (!success) console.log(`${uid} is not imported.`);
 */
export const dataImport = {
  /**
   * Imports users by uid; their role must exist. Errors: ERR_IMPORT_INVALID_USER_FORMAT. The effect on an
   * existing user is not documented.
   */
  users: {
    id: "import-users",
    request: "POST /data_import/users",
    input: () => strictObject({ users: keyedBy("uid", importedUser()) }),
    answer: itemResults,
    rateClass: "import",
  },
  /** Imports groups by guid. Errors: ERR_IMPORT_INVALID_GROUP_FORMAT. */
  groups: {
    id: "import-groups",
    request: "POST /data_import/groups",
    input: () => strictObject({ groups: keyedBy("guid", importedGroup()) }),
    answer: itemResults,
    rateClass: "import",
  },
  /**
   * Imports memberships by `<guid>_member_<uid>`. Errors: ERR_IMPORT_INVALID_MEMBER_FORMAT,
   * ERR_IMPORT_INVALID_JOINEDAT.
   */
  members: {
    id: "import-members",
    request: "POST /data_import/members",
    input: () => strictObject({ members: keyedBy("memberId", importedMember()) }),
    answer: itemResults,
    rateClass: "import",
  },
  /**
   * Imports messages by muid with their own times. Errors: ERR_IMPORT_INVALID_MESSAGE_FORMAT. A repetition is
   * safe: a known muid fails with ERR_IMPORT_MUID_ALREADY_EXISTS.
   */
  messages: {
    id: "import-messages",
    request: "POST /data_import/messages",
    input: () => strictObject({ messages: keyedBy("muid", importedMessage()) }),
    answer: itemResults,
    rateClass: "import",
  },
} as const satisfies Family;
