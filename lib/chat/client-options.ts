import { editDistance } from "../base/edit-distance.ts";
import { isRecord } from "../base/json.ts";
import { InvalidInputError } from "./errors.ts";
import { longestTimerMs } from "./rate-budget.ts";
import { readPlainly, typeNameOf } from "./read-plainly.ts";

export interface OptionRule {
  readonly rule: string;
  readonly isFine: (value: unknown) => boolean;
  readonly isRequired?: true;
}

export type OptionRules = Readonly<Record<string, OptionRule>>;

/** @throws InvalidInputError naming the option and its rule, never the value */
export function checkClientOptions(maker: string, options: unknown, rules: OptionRules): void {
  readPlainly(maker, "options", () => {
    if (!isRecord(options)) {
      const rule = `an object, not ${typeNameOf(options)}`;
      throw new InvalidInputError(maker, "options", rule, options === undefined);
    }
    checkNames(maker, options, rules);
    for (const [name, { rule, isFine, isRequired }] of Object.entries(rules)) {
      const value = options[name];
      if (value === undefined ? isRequired : !isFine(value)) {
        throw new InvalidInputError(maker, name, rule, value === undefined);
      }
    }
  });
}

/** Refuses misspelled options; callers may pass a larger settings object. */
function checkNames(maker: string, given: object, known: object): void {
  for (const name of Object.keys(given).filter((one) => !Object.hasOwn(known, one))) {
    const most = name.length < 5 ? 0 : 2;
    const meant = Object.keys(known).find(
      (other) => editDistance(name.toLowerCase(), other.toLowerCase()) <= most,
    );
    if (meant !== undefined) throw new InvalidInputError(maker, name, `called ${meant}`);
  }
}

export const aFunction: OptionRule = { rule: "a function", isFine: (value) => typeof value === "function" };
const count = (value: unknown) => typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
const isTime = (value: unknown) => typeof value === "number" && value > 0 && value <= longestTimerMs;
const isPause = (value: unknown) => value === 0 || isTime(value);
const holds = (value: unknown, fields: Readonly<Record<string, (value: unknown) => boolean>>) =>
  isRecord(value) &&
  Object.keys(value).every((name) => Object.hasOwn(fields, name)) &&
  Object.entries(fields).every(([name, isFine]) => value[name] === undefined || isFine(value[name]));

export const aText: OptionRule = { rule: "a text", isFine: (value) => typeof value === "string" };

export function isSource(value: unknown): boolean {
  return isRecord(value) && typeof value.get === "function" && typeof value.refresh === "function";
}

/** @throws InvalidInputError */
export function checkChatClientOptions(maker: string, options: unknown): void {
  checkClientOptions(maker, options, {
    ...commonRules,
    appId: { ...aText, isRequired: true },
    region: aText,
    apiKey: {
      rule: "a key, or { get, refresh }, each a function",
      isFine: (value) => typeof value === "string" || isSource(value),
      isRequired: true,
    },
    baseUrlTemplate: aText,
    scope: {
      rule: "fullAccess or authOnly",
      isFine: (value) => value === "fullAccess" || value === "authOnly",
    },
  });
}

export const commonRules: OptionRules = {
  fetch: aFunction,
  now: aFunction,
  sleep: aFunction,
  random: aFunction,
  onTry: aFunction,
  timeoutMs: { rule: "a number of milliseconds above 0, and at most 24 days", isFine: isTime },
  maxConcurrent: { rule: "a whole number of at least 1", isFine: count },
  retry: {
    rule: "{ maxTries, baseDelayMs, maxDelayMs }: tries of at least 1, pauses of at least 0 milliseconds",
    isFine: (value) => holds(value, { maxTries: count, baseDelayMs: isPause, maxDelayMs: isPause }),
  },
  hooks: {
    rule: "{ beforeRequest, afterResponse }, each a function",
    isFine: (value) => holds(value, { beforeRequest: aFunction.isFine, afterResponse: aFunction.isFine }),
  },
  log: {
    rule: "an object with a function debug, such as console",
    isFine: (value) => Object(value) === value && typeof Reflect.get(Object(value), "debug") === "function",
  },
  userAgent: {
    rule: "1 to 200 printable ASCII characters",
    isFine: (value) => typeof value === "string" && /^[\x21-\x7e][\x20-\x7e]{0,199}$/.test(value),
  },
};
