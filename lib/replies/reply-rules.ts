import * as z from "zod/mini";
import { chosenId } from "../chosen-id.ts";
import { duration } from "../duration.ts";
import { saidText } from "../said-text.ts";

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
export const replyRulesSchema = rulesSchema(() => true);

export type ReplyRules = z.infer<typeof replyRulesSchema>;
export type ReplyRule = z.infer<ReturnType<typeof ruleSchema>>;
export type OfficeHours = z.infer<ReturnType<typeof officeHoursSchema>>;

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }) !== undefined;
  } catch {
    return false;
  }
}
