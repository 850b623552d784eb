import * as z from "zod/mini";
import { duration, durationMs } from "../../base/config-fields.ts";
import { rotatedCredentials } from "./rotated-credentials.ts";

export const rotationSettingsSchema = z.strictObject({
  /** Rotated by Secrets Manager. Default: nothing. */
  rotate: z.optional(
    z.nullable(
      z
        .array(z.enum(rotatedCredentials))
        .check(z.refine((list) => new Set(list).size === list.length, "each once")),
    ),
  ),
  everyDays: z._default(z.int().check(z.gte(1), z.lte(1_000)), 90),
  /** At least 5 min: functions use a key for 3 min after it was replaced. Default: 1h. */
  overlap: z._default(
    duration().check(
      z.refine(
        (text) => durationMs(text) >= 300_000 && durationMs(text) <= 2_592_000_000,
        "from 5min to 30d",
      ),
    ),
    "1h",
  ),
});

export type RotationSettings = z.infer<typeof rotationSettingsSchema>;
