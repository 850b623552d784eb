import * as z from "zod/mini";

/**
 * The id of a user or a group as people write it in config/. The platform lowers ids when it makes them
 * (docs/platform/ids-and-limits.md#chosen-ids), so that one in capitals would be equal to none that an event names.
 */
export const chosenId = z.string().check(z.minLength(1), z.toLowerCase());
