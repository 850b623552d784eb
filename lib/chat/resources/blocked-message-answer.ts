import * as z from "zod/mini";
import { maybe, maybeNumber, maybeObject, maybeText, maybeTexts } from "../answers.ts";
import type { Schema } from "../schema.ts";
import { messageAnswer } from "./message-answer.ts";

const fields = () =>
  z.looseObject({
    ruleId: maybeText(),
    ruleName: maybeText(),
    revisionId: maybeText(),
    /** Its `message` is a list in one example and a text in another. */
    condition: maybeObject(),
    message: maybe(messageAnswer()),
    action: maybeTexts(),
    createdAt: maybeNumber(),
    updatedAt: maybeNumber(),
    /** Unix seconds with a fraction. */
    blockedAt: maybeNumber(),
  });

/** A message that a rule blocked, with the rule. */
export interface BlockedMessage extends z.infer<ReturnType<typeof fields>> {}

/** `blockedAt` comes as a text `<s>.<fraction>` (docs/internals/platform/ids-and-limits.md#timestamps). */
export const blockedMessageAnswer = (): Schema<BlockedMessage> => fields();
