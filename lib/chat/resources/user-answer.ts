import * as z from "zod/mini";
import { flag, number, object, text, texts } from "../answers.ts";
import type { Schema } from "../operation.ts";

const fields = () =>
  z.looseObject({
    uid: z.string(),
    name: text(),
    link: text(),
    avatar: text(),
    metadata: object(),
    /** `available` or `offline`; `online` in moderation examples. */
    status: text(),
    statusMessage: text(),
    role: text(),
    tags: texts(),
    lastActiveAt: number(),
    createdAt: number(),
    updatedAt: number(),
    deactivatedAt: number(),
    conversationId: text(),
    blockedByMe: flag(),
    blockedByMeAt: number(),
    blockedAt: number(),
    /** Only after creating with `withAuthToken`. A secret. */
    authToken: text(),
  });

/** A user. Times are unix seconds. */
export interface User extends z.infer<ReturnType<typeof fields>> {}

/** Reads a user (platform facts: chat-api, schema User). */
export const userAnswer = (): Schema<User> => fields();
