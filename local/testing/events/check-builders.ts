import { isRecord } from "../../../lib/base/json.ts";
import { checkPlain, type PlainRule, plainText } from "../../../lib/chat/check-plain.ts";
import { namesOfFacts } from "./names-of-facts.ts";

/**
 * Adds checks of options to the builders: a misspelled option would be ignored, and the test would prove
 * something else.
 */
export function checkBuilders<Builders extends object>(builders: Builders): Builders {
  return new Proxy(builders, {
    get(target, name) {
      const build: unknown = Reflect.get(target, name);
      if (typeof build !== "function" || typeof name !== "string") return build;
      return new Proxy(build, {
        apply(made, self, args: readonly unknown[]) {
          const [facts = {}, envelope = {}] = args;
          checkFacts(`events.${name}`, name, facts);
          checkPlain(`events.${name}`, "envelope", envelopeRules, envelope);
          return Reflect.apply(made, self, args);
        },
      });
    },
  });
}

/** Nested options are those of another builder. */
function checkFacts(call: string, builder: string, facts: unknown): void {
  const names = (namesOfFacts[builder] ?? "").split(" ");
  const rules = Object.fromEntries(names.map((name) => [name, ruleOf(call, name)]));
  checkPlain(call, "facts", rules, facts);
}

function ruleOf(call: string, name: string): PlainRule {
  const inner = within[name];
  if (inner === undefined) return others[name] ?? plainText;
  const isFine = (value: unknown) => {
    if (!Array.isArray(value)) return false;
    for (const facts of value) checkFacts(call, inner, facts);
    return true;
  };
  return ["a list of objects", isFine];
}

const within: Readonly<Record<string, string>> = {
  messages: "messageSent",
  occupants: "callParticipantLeft",
};

const isNumber = (value: unknown) => Number.isFinite(value);
const isText = (value: unknown) => typeof value === "string";
const isBag = (value: unknown) =>
  isRecord(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
const listOf = (isFine: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isFine);
const texts: PlainRule = ["a list of texts", listOf(isText)];
const bag: PlainRule = ["an object", isBag];
const date: PlainRule = ["a valid Date", (value) => value instanceof Date && !Number.isNaN(value.getTime())];

/** All other options are texts. */
const others: Readonly<Record<string, PlainRule>> = {
  ...Object.fromEntries(
    [
      ...["sentAt", "at", "atMs", "reactedAt", "joinedAt", "leftAt", "createdAt", "destroyedAt"],
      ...["completedAt", "durationSeconds", "endTime", "durationMs"],
    ].map((name): [string, PlainRule] => [name, ["a number", isNumber]]),
  ),
  ...{ tags: texts, uids: texts, metadata: bag, customData: bag },
  attachments: ["a list of objects", listOf(isBag)],
  form: ["live or documented", (value) => value === "live" || value === "documented"],
  uid: ["a text, or null", (value) => value === null || isText(value)],
  ...{ missedAt: date, startedAt: date, endedAt: date },
  isEndReported: ["true or false", (value) => typeof value === "boolean"],
  participants: ["a list of objects", listOf(isRecord)],
};

const envelopeRules = { appId: plainText, region: plainText, webhook: plainText, data: bag };
