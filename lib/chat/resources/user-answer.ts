import * as z from "zod/mini";
import { flag, maybe, number, object, text } from "../answers.ts";

/** Reads a user (platform facts: chat-api, schema User). Times are unix seconds. */
export const userAnswer = () =>
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
    tags: maybe(z.array(z.string())),
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

/** A user. */
export type User = z.infer<ReturnType<typeof userAnswer>>;
