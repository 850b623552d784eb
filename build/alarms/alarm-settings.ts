import * as z from "zod/mini";

/** An e-mail address or an HTTPS address for Amazon SNS. */
const told = /^(?:[^\s@/]+@[^\s@/]+\.[^\s@/]+|https:\/\/\S+)$/;

/** The schema of config/alarms.yml. */
export const alarmSettingsSchema = z.strictObject({
  /** E-mail and https addresses to notify at an alarm's start and end. */
  notify: z.array(z.string().check(z.regex(told, "an e-mail address, or one that begins with https://"))),
  /** Limits that override infrastructure/alarms.yml, by alarm name. */
  above: z.optional(z.record(z.string(), z.number().check(z.nonnegative()))),
  /** Alarms to omit, or `all`. */
  without: z.optional(z.union([z.literal("all"), z.array(z.string())])),
});

export type AlarmSettings = z.infer<typeof alarmSettingsSchema>;
