import { objectOf } from "../json.ts";
import { allOf, type Condition, condition } from "./condition.ts";
import type { AppData } from "./database.ts";
import { putDocument } from "./documents.ts";
import { findMember } from "./groups.ts";
import { isDisapproved, type Message } from "./messages.ts";
import { hasRow } from "./rows.ts";

// Everything that shows a message to a user, or acts on it for one, asks here. The app itself sees all.

/** Also after the receiver unblocked the sender. */
export function hideFromReceiver(data: AppData, id: string): void {
  putDocument(data, hiddenKind, id, {});
}

/**
 * Whether only its sender sees it: moderation disapproved it (assumed), or its receiver had blocked the
 * sender.
 * @see docs/internals/platform/users-and-groups.md#blocked-users
 */
export function isKept(data: AppData, message: Message): boolean {
  return isDisapproved(message) || isHidden(data, message);
}

export function isHidden(data: AppData, { receiverType, id }: Message): boolean {
  return receiverType === "user" && hasRow(data, "documents", { kind: hiddenKind, id });
}

export function isKeptFrom(data: AppData, uid: string, message: Message): boolean {
  return message.sender !== uid && isKept(data, message);
}

/** Whether a user takes part in its conversation, and it is not kept from them. */
export function canRead(data: AppData, uid: string, message: Message): boolean {
  const takesPart =
    message.receiverType === "group"
      ? findMember(data, message.receiver, uid) !== undefined
      : partiesOf(message).includes(uid);
  return takesPart && !isKeptFrom(data, uid, message);
}

// The record of a change or of a call names in `on` the parties of what it is about. The id of a
// conversation is ambiguous: a uid may hold `_user_`.
function partiesOf({ sender, receiver, data }: Message): unknown[] {
  const about = objectOf(objectOf(objectOf(data.entities).on).entity);
  return [sender, receiver, about.sender, about.receiver];
}

/** In SQL, of a one-to-one message; true for those of groups. */
export function partakenBy(uid: string): Condition {
  const about = ["sender", "receiver"].map(
    (field) => `json_extract(body, '$.data.entities.on.entity.${field}')`,
  );
  return condition(
    `(receiver_type = 'group' OR ? IN (sender, receiver)
      OR (category IN ('action', 'call') AND ? IN (${about.join(", ")})))`,
    uid,
    uid,
  );
}

const hiddenKind = "hidden-message";

// Searching for the word is faster than parsing each body.
const isKeptRow = `((instr(body, 'disapproved') > 0
    AND coalesce(json_extract(body, '$.data.moderation.status'), '') = 'disapproved')
  OR (receiver_type = 'user' AND EXISTS (SELECT 1 FROM documents AS hidden
    WHERE hidden.app_id = messages.app_id AND hidden.kind = '${hiddenKind}'
      AND hidden.id = CAST(messages.id AS TEXT))))`;

/** In SQL, about a row of `messages`. */
export const isKeptFromNobody = `NOT ${isKeptRow}`;

/** As `canRead`, but for the membership in a group. */
export function readableBy(uid: string): Condition {
  return allOf([condition(`(sender = ? OR ${isKeptFromNobody})`, uid), partakenBy(uid)]);
}
