import * as z from "zod/mini";
import { maybe, maybeNumber, maybeObject, maybeText, maybeTexts, one } from "../answers.ts";
import { messageAnswer } from "./message-answer.ts";

// Even in a one-element list (docs/internals/platform/conversations.md#shape-of-a-conversation,
// docs/internals/platform/ids-and-limits.md#what-examples-get-wrong).
/** A conversation as one user sees it. Times are unix seconds. */
export const conversationAnswer = () =>
  one(
    z.looseObject({
      /** `<uid>_user_<uid>`, uids sorted, or `group_<guid>`. */
      conversationId: z.string(),
      /** `user` or `group`. */
      conversationType: maybeText(),
      unreadMessageCount: maybeNumber(),
      createdAt: maybeNumber(),
      updatedAt: maybeNumber(),
      /** Absent if deleted, or in a group without messages. */
      lastMessage: maybe(messageAnswer()),
      /** The other user, or the group. */
      conversationWith: maybeObject(),
      tags: maybeTexts(),
      pinnedBy: maybeText(),
      pinnedAt: maybeNumber(),
    }),
  );
