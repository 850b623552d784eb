import * as z from "zod/mini";
import { anyId, maybe, maybeText } from "../answers.ts";
import { affix, int, opt, unixSeconds, word, words } from "../fields.ts";

/**
 * Cursor: `limit` 1–100, the sort field's value and `id`
 * (docs/internals/platform/campaigns.md#lists-of-campaigns).
 */
export const cursorFields = () => ({
  limit: opt(int(1, 100)),
  affix: opt(affix()),
  id: opt(word()),
  updatedAt: opt(unixSeconds()),
  order: opt(z.enum(["asc", "desc"])),
});

/** At most 64 letters, digits, `_` and `-`; `clicked` is predefined. */
export const engagementInput = () =>
  z.strictObject({
    topic: opt(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, _ and -"))),
  });

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

/** Hardly documented: only the id is checked. */
export const campaignEntityAnswer = () =>
  z.looseObject({ id: maybe(anyId()), name: maybeText(), status: maybeText() });
