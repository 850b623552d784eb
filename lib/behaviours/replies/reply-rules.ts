import * as z from "zod/mini";
import { chosenId } from "../../base/chosen-id.ts";
import { duration } from "../../base/duration.ts";
import { saidText } from "../../base/said-text.ts";

const timeOfDay = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'must look like "09:00"' }));
const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const officeHoursSchema = (isTimeZone: (name: string) => boolean) =>
  z
    .strictObject({
      timeZone: z
        .string()
        .check(z.refine(isTimeZone, { message: 'must be a time zone like "Europe/Berlin"' })),
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
  const said = { when: z.optional(when), maxAge: z.optional(duration), text: saidText() };
  return z.union([
    z.strictObject({ receiver: chosenId, ...said }),
    z.strictObject({ group: chosenId, as: chosenId, ...said }),
  ]);
};

const rulesSchema = (isTimeZone: (name: string) => boolean) =>
  z.strictObject({
    ignoreSenders: z.optional(z.array(chosenId)),
    categories: z.optional(z.array(z.enum(["message", "custom", "interactive", "action", "call"]))),
    maxAge: z.optional(duration),
    rules: z.array(ruleSchema(whenSchema(officeHoursSchema(isTimeZone)))),
  });

/** What config/replies.yml may hold. */
export const replyRulesFileSchema = rulesSchema(isTimeZone);

/**
 * The same for the content that was built in. Its time zones were checked then: to ask for one loads all of Intl's data,
 * which would be an eighth of the consumer's cold start (docs/performance.md).
 */
export const replyRulesSchema: z.ZodMiniType<ReplyRules> = rulesSchema(() => true);

/** Who answers what on its own: config/replies.yml. */
export interface ReplyRules {
  /** The uids of those whose messages are never answered. */
  readonly ignoreSenders?: string[] | undefined;
  /** Which categories of messages are answered. Default: `message`. */
  readonly categories?: ("message" | "custom" | "interactive" | "action" | "call")[] | undefined;
  /** Older messages are not answered: `90s`, `30min`, `1h`, `2d`. Default: all are. */
  readonly maxAge?: string | undefined;
  /** Tried from top to bottom; the first that fits answers. */
  readonly rules: ReplyRule[];
}

/** Who answers a message, and what. */
export type ReplyRule = UserReplyRule | GroupReplyRule;

/** What somebody answers to messages to them. */
export interface UserReplyRule extends SaidReply {
  /** The uid of who is written to, and answers. */
  readonly receiver: string;
}

/** What somebody answers to messages in a group. */
export interface GroupReplyRule extends SaidReply {
  /** The group's guid. */
  readonly group: string;
  /** The uid of the member who answers. */
  readonly as: string;
}

/** What is said, and when. */
export interface SaidReply {
  /** What a message must be like to be answered. Default: `always`. */
  readonly when?: "always" | ReplyCondition | undefined;
  /** As in the rules as a whole, and instead of it. */
  readonly maxAge?: string | undefined;
  /** The answer: at most 9,000 bytes. */
  readonly text: string;
}

/** What a message must be like to be answered; at least one of them, and all that are given hold. */
export interface ReplyCondition {
  /** Any of these words or phrases, as whole words in any case. */
  readonly words?: string[] | undefined;
  /** It was sent at a time that is not within these hours. */
  readonly outsideOfficeHours?: OfficeHours | undefined;
}

/** When an office is open. */
export interface OfficeHours {
  /** Such as `Europe/Berlin`. */
  readonly timeZone: string;
  /** The days on which it is open at all. */
  readonly days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
  /** When it opens, such as `09:00`. */
  readonly from: string;
  /** When it closes, later than `from`. */
  readonly to: string;
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }) !== undefined;
  } catch {
    return false;
  }
}
