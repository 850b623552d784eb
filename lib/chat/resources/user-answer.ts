import * as z from "zod/mini";
import { maybeFlag, maybeNumber, maybeObject, maybeText, maybeTexts } from "../answers.ts";

// docs/internals/platform/users-and-groups.md#shape-of-a-user
export const userFields = () => ({
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
export const userAnswer = () => z.looseObject(userFields());
