import * as z from "zod/mini";

/**
 * The id of a user or a group as people write it in config/. The platform lowers ids when it makes them, so that one in
 * capitals would be equal to none that an event names (docs/platform/ids-and-limits.md#chosen-ids).
 */
export const chosenId = z.string().check(
  z.regex(/^[A-Za-z0-9_-]{1,100}$/, {
    message: "must be an id: at most 100 of a-z, 0-9, - and _",
  }),
  z.toLowerCase(),
);
