import * as z from "zod/mini";
import { maybeNumber, maybeText } from "../answers.ts";
import { int, opt, tags, yesNo } from "../fields.ts";

/** The acting user's tags on a conversation. */
export const tagsInput = () => z.strictObject({ tags: tags() });

/** The last message to mark; absent: all (inferred). Message ids are integers here, strings elsewhere. */
export const messageMark = () => z.strictObject({ messageId: opt(int(1)) });

/** `preserveOrder` keeps the conversation's place in the list. */
export const resetInput = () => z.strictObject({ preserveOrder: opt(yesNo()) });

/** The answer of pinning and unpinning. */
export const pinAnswer = () =>
  z.looseObject({
    conversationId: maybeText(),
    conversationType: maybeText(),
    pinnedBy: maybeText(),
    pinnedAt: maybeNumber(),
  });
