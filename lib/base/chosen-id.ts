import * as z from "zod/mini";

/**
 * A uid or guid in config/. The platform lowers ids, so one with capitals would match no event
 * (docs/internals/platform/ids-and-limits.md#chosen-ids).
 */
export const chosenId = z.string().check(
  z.regex(/^[A-Za-z0-9_-]{1,100}$/, {
    message: "must be an id: at most 100 of a-z, 0-9, - and _",
  }),
  z.toLowerCase(),
);
