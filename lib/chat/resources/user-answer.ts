import * as z from "zod/mini";
import { byWords } from "../../base/words.ts";
import { maybeFlag, maybeNumber, maybeObject, maybeText, maybeTexts } from "../answers.ts";
import type { Schema } from "../schema.ts";

const fields = () =>
  z.looseObject({
    uid: z.string(),
    ...byWords("name link avatar statusMessage role conversationId", maybeText),
    metadata: maybeObject(),
    /** `available` or `offline`; `online` in moderation examples. */
    status: maybeText(),
    tags: maybeTexts(),
    ...byWords("lastActiveAt createdAt updatedAt deactivatedAt blockedByMeAt blockedAt", maybeNumber),
    blockedByMe: maybeFlag(),
    /** Only after creating with `withAuthToken`. A secret. */
    authToken: maybeText(),
  });

/** A user. Times are unix seconds. */
export interface User extends z.infer<ReturnType<typeof fields>> {}

/** Reads a user (docs/internals/platform/users-and-groups.md#shape-of-a-user). */
export const userAnswer = (): Schema<User> => fields();
