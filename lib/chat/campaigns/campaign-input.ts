import * as z from "zod/mini";
import { anyId, maybe, maybeText } from "../answers.ts";
import { affix, int, opt, unixSeconds, word, words } from "../fields.ts";

/**
 * Lists of this API go by cursor: `limit` 1 to 100, the sort field's value and `id` say where
 * (docs/platform/campaigns.md#lists-of-campaigns).
 */
export const cursorFields = () => ({
  limit: opt(int(1, 100)),
  affix: opt(affix()),
  id: opt(word()),
  updatedAt: opt(unixSeconds()),
  order: opt(z.enum(["asc", "desc"])),
});

/** Free name of what a user did: at most 64 letters, digits, `_` and `-`; well known is `clicked`. */
export const engagementInput = () =>
  z.strictObject({
    topic: opt(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, _ and -"))),
  });

/** Period analytics are asked for. */
export const analyticsQuery = () =>
  z.strictObject({
    dimension: opt(z.enum(["campaign", "template", "channel"])),
    dimensionId: opt(word()),
    period: opt(z.enum(["hourly", "daily"])),
    /** ISO 8601. */
    startDate: opt(words(40)),
    endDate: opt(words(40)),
    limit: opt(int(1)),
  });

/** Answers of this API are hardly documented: the id is read, everything else is kept as it comes. */
export const entityAnswer = () =>
  z.looseObject({ id: maybe(anyId()), name: maybeText(), status: maybeText() });
