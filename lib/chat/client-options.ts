import { isRecord } from "../base/json.ts";
import { checkPlain, type PlainRules, plainFunction, plainText } from "./check-plain.ts";
import { longestTimerMs } from "./rate-budget.ts";

const count = (value: unknown) => typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
const isTime = (value: unknown) => typeof value === "number" && value > 0 && value <= longestTimerMs;
const isPause = (value: unknown) => value === 0 || isTime(value);
const holds = (value: unknown, fields: Readonly<Record<string, (value: unknown) => boolean>>) =>
  isRecord(value) &&
  Object.keys(value).every((name) => Object.hasOwn(fields, name)) &&
  Object.entries(fields).every(([name, isFine]) => value[name] === undefined || isFine(value[name]));

export function isSource(value: unknown): boolean {
  return isRecord(value) && typeof value.get === "function" && typeof value.refresh === "function";
}

/** @throws InvalidInputError */
export function checkChatClientOptions(maker: string, options: unknown): void {
  const rules: PlainRules = {
    ...commonRules,
    appId: plainText,
    region: plainText,
    apiKey: [
      "a key, or { get, refresh }, each a function",
      (value) => typeof value === "string" || isSource(value),
    ],
    baseUrlTemplate: plainText,
    scope: ["fullAccess or authOnly", (value) => value === "fullAccess" || value === "authOnly"],
  };
  checkPlain(maker, "options", rules, options, ["appId", "apiKey"], true);
}

const [, isFunction] = plainFunction;

export const commonRules: PlainRules = {
  fetch: plainFunction,
  now: plainFunction,
  sleep: plainFunction,
  random: plainFunction,
  onTry: plainFunction,
  timeoutMs: ["a number of milliseconds above 0, and at most 24 days", isTime],
  maxConcurrent: ["a whole number of at least 1", count],
  retry: [
    "{ maxTries, baseDelayMs, maxDelayMs }: tries of at least 1, pauses of at least 0 milliseconds",
    (value) => holds(value, { maxTries: count, baseDelayMs: isPause, maxDelayMs: isPause }),
  ],
  hooks: [
    "{ beforeRequest, afterResponse }, each a function",
    (value) => holds(value, { beforeRequest: isFunction, afterResponse: isFunction }),
  ],
  log: [
    "an object with a function debug, such as console",
    (value) => isFunction(Reflect.get(Object(value), "debug")) && Object(value) === value,
  ],
  userAgent: [
    "1 to 200 printable ASCII characters",
    (value) => typeof value === "string" && /^[\x21-\x7e][\x20-\x7e]{0,199}$/.test(value),
  ],
};
