import * as z from "zod/mini";
import { maybeNumber, maybeText } from "../answers.ts";
import { int, opt, tags, yesNo } from "../fields.ts";

export const tagsInput = () => z.strictObject({ tags: tags() });

/** Absent: all (inferred). Message ids are integers here, strings elsewhere. */
export const messageMark = () => z.strictObject({ messageId: opt(int(1)) });

/** `preserveOrder` keeps the conversation's place in the list. */
export const resetInput = () => z.strictObject({ preserveOrder: opt(yesNo()) });

export const pinnedConversationAnswer = () =>
  z.looseObject({
    conversationId: maybeText(),
    conversationType: maybeText(),
    pinnedBy: maybeText(),
    pinnedAt: maybeNumber(),
  });
