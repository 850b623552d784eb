import * as z from "zod/mini";
import { maybeNumber, maybeText } from "../answers.ts";
import { int, opt, tags, yesNo } from "../fields.ts";

/** The acting user's tags on a conversation. */
export const tagsInput = () => z.strictObject({ tags: tags() });

/** Up to which message; absent: all of them (inferred). Message ids are integers here, strings elsewhere. */
export const messageMark = () => z.strictObject({ messageId: opt(int(1)) });

/** `preserveOrder` keeps the conversation's place in the list. */
export const resetInput = () => z.strictObject({ preserveOrder: opt(yesNo()) });

/** What pinning and unpinning answer. */
export const pinAnswer = () =>
  z.looseObject({
    conversationId: maybeText(),
    conversationType: maybeText(),
    pinnedBy: maybeText(),
    pinnedAt: maybeNumber(),
  });
