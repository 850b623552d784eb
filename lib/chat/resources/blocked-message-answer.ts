import * as z from "zod/mini";
import { maybe, number, object, text, texts } from "../answers.ts";
import type { Schema } from "../operation.ts";
import { messageAnswer } from "./message-answer.ts";

const fields = () =>
  z.looseObject({
    ruleId: text(),
    ruleName: text(),
    revisionId: text(),
    /** Its `message` is a list in one example and a text in another. */
    condition: object(),
    message: maybe(messageAnswer()),
    action: texts(),
    createdAt: number(),
    updatedAt: number(),
    /** Unix seconds with a fraction. */
    blockedAt: number(),
  });

/** A message a rule has blocked, and by what. */
export interface BlockedMessage extends z.infer<ReturnType<typeof fields>> {}

/** Reads a blocked message; `blockedAt` comes as a text `<s>.<fraction>` (platform facts: chat-api §5). */
export const blockedMessageAnswer = (): Schema<BlockedMessage> => fields();
