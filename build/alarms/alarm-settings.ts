import * as z from "zod/mini";

/** An e-mail address, or what Amazon SNS can post to. */
const told = /^(?:[^\s@/]+@[^\s@/]+\.[^\s@/]+|https:\/\/\S+)$/;

/** What config/alarms.yml may hold. */
export const alarmSettingsSchema = z.strictObject({
  /** E-mail and https addresses that are told when an alarm begins and when it is over. */
  notify: z.array(z.string().check(z.regex(told, "an e-mail address, or one that begins with https://"))),
  /** Limits in the place of those in infrastructure/alarms.yml, by the alarm's name. */
  above: z.optional(z.record(z.string(), z.number().check(z.nonnegative()))),
  /** Alarms that are not made, or `all`. */
  without: z.optional(z.union([z.literal("all"), z.array(z.string())])),
});

export type AlarmSettings = z.infer<typeof alarmSettingsSchema>;
