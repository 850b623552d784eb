import * as z from "zod/mini";
import { acknowledgement, flag, number, text } from "../answers.ts";
import type { Family } from "../operation.ts";

/** Reads a moderation reason; its list has times as numeric strings (platform facts: chat-api, schema Reason). */
export const reasonAnswer = () =>
  z.looseObject({
    id: z.string(),
    name: z.string(),
    description: text(),
    createdAt: number(),
    updatedAt: number(),
    /** True for the reasons the platform brings along. */
    default: flag(),
  });

/** A reason users may pick when they flag a message. */
export type Reason = z.infer<ReturnType<typeof reasonAnswer>>;

const name = () => z.string().check(z.minLength(1));

/** Reasons users may pick when they flag a message. Platform facts: chat-api §4, moderation. */
export const reasons = {
  /**
   * Creates a reason. Limits of `id` and `name` and the error for a duplicate are not documented.
   * Not repeated after an unclear failure; pass `alreadyDone` that gets the reason by its id.
   */
  create: {
    id: "create-reason",
    request: "POST /moderation/reasons",
    input: () => z.strictObject({ id: name(), name: name(), description: z.optional(z.string()) }),
    answer: reasonAnswer,
  },
  /** Lists the reasons; those the platform brings along carry `default: true`. One page. May be repeated. */
  list: { id: "list-reasons", request: "GET /moderation/reasons", paged: "once", answer: reasonAnswer },
  /** Reads one reason. Errors: ERR_REASON_NOT_FOUND. May be repeated. */
  get: { id: "get-reason-details", request: "GET /moderation/reasons/{id}", answer: reasonAnswer },
  /**
   * Changes a reason. Only the name is documented as changeable; whether the platform took a description shows in the
   * answer. Errors: ERR_REASON_NOT_FOUND. May be repeated.
   */
  update: {
    id: "update-reason-details",
    request: "PUT /moderation/reasons/{id}",
    input: () => z.strictObject({ name: name(), description: z.optional(z.string()) }),
    answer: reasonAnswer,
  },
  /** Deletes a reason. Errors: ERR_REASON_NOT_FOUND, which after an unclear try (`maybeExecuted`) means done. May be repeated. */
  delete: { id: "delete-reason", request: "DELETE /moderation/reasons/{id}", answer: acknowledgement },
} as const satisfies Family;
