import * as z from "zod/mini";
import { chosenId, duration, saidText } from "../../base/config-fields.ts";

const timeOfDay = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'must look like "09:00"' }));
const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const officeHoursSchema = (isTimeZone: (name: string) => boolean) =>
  z
    .strictObject({
      timeZone: z.string().check(
        z.refine(isTimeZone, {
          message:
            'must be the time zone of a place, like "Europe/Berlin", or "UTC": ' +
            "abbreviations and Etc/GMT+2 may mean another time",
        }),
      ),
      days: z.array(z.enum(days)),
      from: timeOfDay,
      to: timeOfDay,
    })
    .check(z.refine(({ from, to }) => from < to, { message: '"from" must be earlier than "to"' }));

const whenSchema = (officeHours: ReturnType<typeof officeHoursSchema>) =>
  z.union([
    z.literal("always"),
    z
      .strictObject({
        words: z.optional(z.array(z.string().check(z.minLength(1))).check(z.minLength(1))),
        outsideOfficeHours: z.optional(officeHours),
      })
      .check(
        z.refine(({ words, outsideOfficeHours }) => (words ?? outsideOfficeHours) !== undefined, {
          message: 'needs "words" or "outsideOfficeHours"; a rule that always fits has no "when"',
        }),
      ),
  ]);

const ruleSchema = (when: ReturnType<typeof whenSchema>) => {
  const said = { when: z.optional(when), maxAge: z.optional(duration()), text: saidText() };
  return z.union([
    z.strictObject({ receiver: chosenId(), ...said }),
    z.strictObject({ group: chosenId(), as: chosenId(), ...said }),
  ]);
};

const rulesSchema = (isTimeZone: (name: string) => boolean) =>
  z.strictObject({
    ignoreSenders: z.optional(z.array(chosenId())),
    categories: z.optional(z.array(z.enum(["message", "custom", "interactive", "action", "call"]))),
    maxAge: z.optional(duration()),
    rules: z.array(ruleSchema(whenSchema(officeHoursSchema(isTimeZone)))),
  });

export const replyRulesFileSchema = rulesSchema(isTimeZone).check(refuseUnreachable);

/** For content that the build has checked: checking time zones again would load all of Intl's data. */
export const replyRulesSchema: z.ZodMiniType<ReplyRules> = rulesSchema(() => true);

/** Automatic replies: config/replies.yml. */
export interface ReplyRules {
  /** Uids of users who are never answered. */
  readonly ignoreSenders?: string[] | undefined;
  /** Categories to answer. Default: `message`. */
  readonly categories?: ("message" | "custom" | "interactive" | "action" | "call")[] | undefined;
  /** `90s`, `30min`, `1h`, `2d`: older messages are not answered. Default: `1h`. */
  readonly maxAge?: string | undefined;
  /** From top to bottom; the first match answers. */
  readonly rules: ReplyRule[];
}

/** One rule of `config/replies.yml`. */
export type ReplyRule = UserReplyRule | GroupReplyRule;

/** For one-to-one conversations. */
export interface UserReplyRule extends SaidReply {
  /** Uid of the receiver, who answers. */
  readonly receiver: string;
}

/** For groups. */
export interface GroupReplyRule extends SaidReply {
  /** Guid. */
  readonly group: string;
  /** Uid of the member who answers. */
  readonly as: string;
}

/** What a rule replies. */
export interface SaidReply {
  /** Default: `always`. */
  readonly when?: "always" | ReplyCondition | undefined;
  /** Overrides the rules' `maxAge`. */
  readonly maxAge?: string | undefined;
  /** At most 9,000 bytes. */
  readonly text: string;
}

/** At least one condition; all given ones must hold. */
export interface ReplyCondition {
  /** Any of these, as whole words, case-insensitive. */
  readonly words?: string[] | undefined;
  /** Not within these hours. */
  readonly outsideOfficeHours?: OfficeHours | undefined;
}

/** When people answer. */
export interface OfficeHours {
  /** Such as `Europe/Berlin`. */
  readonly timeZone: string;
  /** Open days. */
  readonly days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
  /** Opening time, such as `09:00`. */
  readonly from: string;
  /** Later than `from`. */
  readonly to: string;
}

/**
 * Refuses rules after one that matches all their messages. A user who speaks in a group does not answer its
 * own messages there: another user's rule may.
 */
function refuseUnreachable({ value, issues }: z.core.ParsePayload<ReplyRules>) {
  const first = new Map<string, number>();
  for (const [index, rule] of value.rules.entries()) {
    const [place, key] =
      "group" in rule
        ? [`in "${rule.group}"`, `${rule.group} ${rule.as}`]
        : [`to "${rule.receiver}"`, rule.receiver];
    const earlier = first.get(key);
    if (earlier !== undefined) {
      const message = `never answers: number ${earlier + 1} of the list answers all messages ${place}; move this rule above it, or delete it`;
      issues.push({ code: "custom", input: rule, path: ["rules", index], message });
    } else if ((rule.when ?? "always") === "always") first.set(key, index);
  }
}

/**
 * Abbreviations may differ from what is meant: Intl takes BST for Dhaka, EST has no summer time, and
 * Etc/GMT+2 is two hours behind UTC.
 */
function isTimeZone(timeZone: string) {
  if (/^etc\/gmt[+-]|^(?!utc$|gmt$)[a-z]{2,4}$|^[a-z]{3}\d[a-z]{3}$/i.test(timeZone)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone }) !== undefined;
  } catch {
    return false;
  }
}
