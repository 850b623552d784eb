import * as z from "zod/mini";
import { acknowledgement, maybeFlag, maybeNumber, maybeText } from "../answers.ts";
import { opt, word, words } from "../fields.ts";
import type { Family } from "../operation.ts";

// The list has times as numeric strings (docs/internals/platform/moderation.md#reasons).
/** A reason that users can choose when they flag a message. Times are unix seconds. */
const reasonAnswer = () =>
  z.looseObject({
    id: z.string(),
    name: z.string(),
    description: maybeText(),
    createdAt: maybeNumber(),
    updatedAt: maybeNumber(),
    /** True for the built-in reasons. */
    default: maybeFlag(),
  });

/** Not documented; only catches mistakes. */
const name = () => words(1_000);

/**
 * Reasons that users can choose when they flag a message. See docs/internals/platform/moderation.md#reasons.
 * @example
 * await chat.reasons.create({ id: "off-topic", name: "Off topic" });
 * const all = await chat.reasons.list().page(); // the built-in ones have `default`
 */
export const reasons = {
  /**
   * Creates a reason. Limits of `id` and `name` and the error for a duplicate are not documented. Pass an
   * `alreadyDone` that looks for its id in the list.
   */
  create: {
    id: "create-reason",
    request: "POST /moderation/reasons",
    input: () => z.strictObject({ id: name(), name: name(), description: opt(word()) }),
    answer: reasonAnswer,
  },
  /** Lists the reasons; the built-in ones have `default: true`. One page. */
  list: { id: "list-reasons", request: "GET /moderation/reasons", paged: "once", answer: reasonAnswer },
  /** Reads one reason. Errors: ERR_REASON_NOT_FOUND. */
  get: { id: "get-reason-details", request: "GET /moderation/reasons/{id}", answer: reasonAnswer },
  /**
   * Changes a reason. Only the name is documented as changeable: the answer shows whether the description
   * changed. Errors: ERR_REASON_NOT_FOUND.
   */
  update: {
    id: "update-reason-details",
    request: "PUT /moderation/reasons/{id}",
    input: () => z.strictObject({ name: name(), description: z.optional(z.string()) }),
    answer: reasonAnswer,
  },
  /** Deletes a reason. Errors: ERR_REASON_NOT_FOUND (after an unclear try: done). */
  delete: { id: "delete-reason", request: "DELETE /moderation/reasons/{id}", answer: acknowledgement },
} as const satisfies Family;
