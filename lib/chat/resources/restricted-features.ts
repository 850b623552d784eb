import * as z from "zod/mini";
import { acknowledgement, itemResults, maybeNumber, maybeText } from "../answers.ts";
import { list, opt, yesNo } from "../fields.ts";
import type { AtLeastOne } from "../needs.ts";
import type { Family } from "../operation.ts";
import { type Schema, typedInput } from "../schema.ts";

const allowedFeatures = () =>
  z
    .strictObject({ featuresToAllow: opt(list()), allowAll: opt(yesNo()) })
    .check(
      z.refine(
        (value) => value.allowAll === true || (value.featuresToAllow?.length ?? 0) > 0,
        "either featuresToAllow or allowAll",
      ),
    );

type AllowedFeatures = z.input<ReturnType<typeof allowedFeatures>>;

/**
 * Features a role may not use; keys as in `u.listUsers`, the prefix is from examples.
 * @see docs/internals/platform/users-and-groups.md#restricted-features
 * @example
 * await chat.restrictedFeatures.restrict("default", { featuresToRestrict: ["createGroup"] });
 * for await (const { key } of chat.restrictedFeatures.list("default")) console.log(key);
 */
export const restrictedFeatures = {
  /**
   * Forbids features to a role; check each key's `success`. Errors: ERR_ROLE_NOT_FOUND. Harmless if repeated.
   */
  restrict: {
    id: "restrict-features",
    request: "POST /roles/{role}/restrictedfeatures",
    input: () => z.strictObject({ featuresToRestrict: list() }),
    answer: itemResults,
  },
  /** Lists what a role may not use. Errors: ERR_ROLE_NOT_FOUND. */
  list: {
    id: "get-restrictedfeatures",
    request: "GET /roles/{role}/restrictedfeatures",
    paged: "page",
    answer: () =>
      z.looseObject({
        key: maybeText(),
        title: maybeText(),
        description: maybeText(),
        path: maybeText(),
        createdAt: maybeNumber(),
      }),
  },
  /** Allows features again: the given ones, or with `allowAll` all. Errors: ERR_ROLE_NOT_FOUND. */
  allow: {
    id: "allow-features",
    request: "DELETE /roles/{role}/restrictedfeatures",
    input: (): Schema<AllowedFeatures, AtLeastOne<AllowedFeatures>> => typedInput(allowedFeatures()),
    answer: acknowledgement,
  },
} as const satisfies Family;
