import * as z from "zod/mini";

const addressPattern = /^(?:[^\s@/]+@[^\s@/]+\.[^\s@/]+|https:\/\/\S+)$/;

export const alarmSettingsSchema = z.strictObject({
  notify: z.array(
    z.string().check(z.regex(addressPattern, "an e-mail address, or one that begins with https://")),
  ),
  /** Override infrastructure/alarms.yml, by alarm name. */
  above: z.optional(z.record(z.string(), z.number().check(z.nonnegative()))),
  without: z.optional(z.union([z.literal("all"), z.array(z.string())])),
});

export type AlarmSettings = z.infer<typeof alarmSettingsSchema>;
