import * as z from "zod/mini";
import { ids, opt } from "../fields.ts";

/** Maximum members to add or ban per call (docs/internals/platform/ids-and-limits.md#quantities). */
const maxPerCall = 25;

/** uids by their new scope; a repeated uid keeps the highest. 1 to 25 in all lists together. */
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
