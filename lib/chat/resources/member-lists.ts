import * as z from "zod/mini";
import { ids, opt } from "../fields.ts";

/** Members to add or ban in one call (docs/platform/ids-and-limits.md#quantities). */
const maxPerCall = 25;

/** uids by the scope they get; a uid named twice keeps the highest. At most 25 in all lists together, at least one. */
export const memberLists = () =>
  z
    .strictObject({
      admins: opt(ids()),
      moderators: opt(ids()),
      participants: opt(ids()),
      usersToBan: opt(ids()),
    })
    .check(
      z.refine((lists) => {
        const count = Object.values(lists).reduce((sum, list) => sum + (list?.length ?? 0), 0);
        return count >= 1 && count <= maxPerCall;
      }, `1 to ${maxPerCall} uids over all lists together`),
    );
