import * as z from "zod/mini";
import { ids, opt } from "../fields.ts";

/** docs/internals/platform/ids-and-limits.md#quantities */
const maxPerCall = 25;

/** A repeated uid keeps the highest scope; 1–25 in all lists together. */
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
