import * as z from "zod/mini";
import { maybeFlag, maybeNumber, maybeObject, maybeText, maybeTexts } from "../answers.ts";
import type { Schema } from "../schema.ts";

const fields = () =>
  z.looseObject({
    uid: z.string(),
    name: maybeText(),
    link: maybeText(),
    avatar: maybeText(),
    metadata: maybeObject(),
    /** `available` or `offline`; `online` in moderation examples. */
    status: maybeText(),
    statusMessage: maybeText(),
    role: maybeText(),
    tags: maybeTexts(),
    lastActiveAt: maybeNumber(),
    createdAt: maybeNumber(),
    updatedAt: maybeNumber(),
    deactivatedAt: maybeNumber(),
    conversationId: maybeText(),
    blockedByMe: maybeFlag(),
    blockedByMeAt: maybeNumber(),
    blockedAt: maybeNumber(),
    /** Only after creating with `withAuthToken`. A secret. */
    authToken: maybeText(),
  });

/** A user. Times are unix seconds. */
export interface User extends z.infer<ReturnType<typeof fields>> {}

/** docs/internals/platform/users-and-groups.md#shape-of-a-user */
export const userAnswer = (): Schema<User> => fields();
