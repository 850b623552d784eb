import * as z from "zod/mini";
import { anyId, maybe, maybeText } from "../answers.ts";
import { affix, int, looseObject, opt, optional, strictObject, unixSeconds, word, words } from "../schema.ts";

/**
 * Pages by cursor: `limit` 1–100, the sort field's value and `id`
 * (docs/internals/platform/campaigns.md#lists-of-campaigns).
 */
export const cursorFields = () =>
  optional({
    limit: int(1, 100),
    affix,
    id: word,
    updatedAt: unixSeconds,
    order: z.enum(["asc", "desc"]),
  });

/** Allows 64 letters, digits, `_` and `-`; `clicked` is predefined. */
export const engagementInput = () =>
  strictObject({
    topic: opt(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, _ and -"))),
  });

export const analyticsQuery = () =>
  strictObject(
    optional({
      dimension: z.enum(["campaign", "template", "channel"]),
      dimensionId: word,
      period: z.enum(["hourly", "daily"]),
      /** ISO 8601. */
      startDate: words(40),
      endDate: words(40),
      limit: int(1),
    }),
  );

/** Checks only the id: the rest is hardly documented. */
export const campaignEntityAnswer = () =>
  looseObject({ id: maybe(anyId), name: maybeText, status: maybeText });
