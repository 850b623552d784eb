import * as z from "zod/mini";
import { maybe, maybeNumber, maybeObject, maybeText, maybeTexts } from "../answers.ts";
import { messageAnswer } from "./message-answer.ts";

// `blockedAt` comes as a text `<s>.<fraction>` (docs/internals/platform/ids-and-limits.md#timestamps).
/** A message that a rule blocked, with the rule. */
export const blockedMessageAnswer = () =>
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
