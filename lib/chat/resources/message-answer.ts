import * as z from "zod/mini";
import { anyId, maybe, maybeFlag, maybeNumber, maybeObject, maybeText, maybeTexts } from "../answers.ts";
import { looseObject } from "../schema.ts";

/** Fields depend on category and type. */
const data = () =>
  looseObject({
    text: maybeText,
    metadata: maybeObject,
    customData: maybeObject,
    url: maybeText,
    attachments: maybe(
      z.array(
        looseObject({
          url: maybeText,
          name: maybeText,
          mimeType: maybeText,
          extension: maybeText,
          size: maybeNumber,
        }),
      ),
    ),
    reactions: maybe(
      z.array(looseObject({ reaction: maybeText, count: maybeNumber, reactedByMe: maybeFlag })),
    ),
    /** `pending`, `approved` or `disapproved`. */
    moderation: maybe(looseObject({ status: maybeText, rule: maybeObject })),
    /** `sender` and `receiver`; for action and call messages `by`, `on` and `for`. */
    entities: maybeObject,
    /** For action messages, for instance `edited`, `deleted`, `added`. */
    action: maybeText,
  });

const base = () => ({
  id: anyId,
  /** The sender's own id of the message, which the platform returns. */
  muid: maybeText,
  conversationId: maybeText,
  /** The sender: a uid, or `app_system`. */
  sender: maybeText,
  /** `user` or `group`. */
  receiverType: maybeText,
  /** The user's uid, or the group's guid. */
  receiver: maybeText,
  /** `message`, `custom`, `action`, `call` or `interactive`. */
  category: maybeText,
  type: maybeText,
  /** For a reply: the message that it answers. */
  parentId: maybe(anyId),
  data: maybe(data),
  sentAt: maybeNumber,
  deliveredAt: maybeNumber,
  readAt: maybeNumber,
  editedAt: maybeNumber,
  /** A uid, or `app_system` for an edit without an acting user. */
  editedBy: maybeText,
  deletedAt: maybeNumber,
  /** A uid, or `app_system` (inferred). */
  deletedBy: maybeText,
  updatedAt: maybeNumber,
  tags: maybeTexts,
  /** How many replies its thread has. */
  replyCount: maybeNumber,
  /** A uid, or `app_system` for a pin of the app. */
  pinnedBy: maybeText,
  pinnedAt: maybeNumber,
  savedAt: maybeNumber,
});

// @see docs/internals/platform/messages.md#shape-of-a-message
/** A message, or the action message about an edit, deletion or change of members. Times are unix seconds. */
export const messageAnswer = () =>
  looseObject({
    ...base(),
    lastReply: maybe(looseObject(base())),
    quotedMessage: maybe(looseObject(base())),
  });

// The permanent form is inferred (docs/internals/platform/messages.md#editing-and-deleting).
/** The action message, or `{success, message}` after a permanent deletion. */
export const deletedMessageAnswer = () =>
  looseObject({ ...base(), id: maybe(anyId), success: maybeFlag, message: maybeText }).check(
    z.refine(({ id, success }) => id !== undefined || success !== undefined, "an id or success"),
  );
