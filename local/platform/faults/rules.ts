import type { ErrorCode } from "../errors/error-table.ts";
import { isJsonObject, type JsonObject } from "../json.ts";

/**
 * A rule for faults: what, where and how often. Missing fields match everything. `path` is below the
 * interface's base and may hold `*`: `/users/*`.
 */
export type FaultRule = {
  /** The rule's name in records; default `rule-<n>`. */
  id?: string;
  appId?: string;
  /** Chance of each match, 0 to 1; default 1. */
  probability?: number;
  /** Matches that pass first; default 0. */
  skip?: number;
  /** Maximum number of faults; default: no limit. */
  count?: number;
  /** When it ends, in milliseconds since 1970 by the platform's clock; default: never. */
  untilMs?: number;
} & (RequestRule | DeliveryRule);

type RequestRule = {
  on: "request";
  operationId?: string;
  method?: string;
  path?: string;
  /** Who meets it: only deployed functions; default: everyone but the console. */
  callers?: "functions";
  fault: (typeof requestFaults)[number];
  /** latency: default 1,000. */
  delayMs?: number;
  /** serverError: default 500. */
  status?: number;
  /** tooManyRequests: default 1. */
  retryAfterSeconds?: number;
  /** refusedInOk: the text of the 200; default `{"data":{"success":false}}`. */
  body?: string;
};

type DeliveryRule = {
  on: "delivery";
  /** A webhook's id, a bot's uid, or `custom` for notification providers. */
  webhookId?: string;
  trigger?: string;
  fault: (typeof deliveryFaults)[number];
  /** delay: default 5,000. reorder: longest wait for the next event, default 5,000. */
  delayMs?: number;
  /** duplicate: how often in all; default 2. */
  copies?: number;
};

/** Holds everything that goes wrong. The same seed and the same requests lead to the same faults. */
export type FaultSettings = {
  seed: number;
  /** Added to the platform's time, for every timestamp it writes. */
  clockSkewMs: number;
  rules: readonly FaultRule[];
};

const requestFaults = [
  "latency",
  "tooManyRequests",
  "serverError",
  "timeoutAfterExecuting",
  "dropBefore",
  "dropAfter",
  "truncate",
  "refusedInOk",
] as const;

const deliveryFaults = ["drop", "duplicate", "delay", "reorder"] as const;

/** @throws TypeError naming the first wrong field */
export function readFaultSettings(value: unknown): FaultSettings {
  if (!isJsonObject(value)) throw new TypeError("Faults must be an object {seed, clockSkewMs, rules}.");
  const { seed = 1, clockSkewMs = 0, rules = [], ...unknown } = value;
  refuseUnknown(unknown, "faults");
  if (!Array.isArray(rules)) throw new TypeError("rules must be an array.");
  return {
    seed: requireNumber(seed, "seed", Number.MIN_SAFE_INTEGER),
    clockSkewMs: requireNumber(clockSkewMs, "clockSkewMs", Number.MIN_SAFE_INTEGER),
    rules: rules.map((rule: unknown, index) => readFaultRule(rule, `rules[${index}]`)),
  };
}

/**
 * `at` is its place in messages.
 * @throws TypeError naming the first wrong field
 */
export function readFaultRule(value: unknown, at: string): FaultRule {
  if (!isJsonObject(value)) throw new TypeError(`${at} must be an object.`);
  const { on } = value;
  if (on !== "request" && on !== "delivery") throw new TypeError(`${at}.on must be request or delivery.`);
  const texts = on === "request" ? ["operationId", "method", "path", "body"] : ["webhookId", "trigger"];
  const numbers = on === "request" ? ["delayMs", "status", "retryAfterSeconds"] : ["delayMs", "copies"];
  const known = [
    "on",
    "fault",
    "id",
    "appId",
    ...texts,
    "skip",
    "count",
    "untilMs",
    "probability",
    ...numbers,
  ];
  if (on === "request") known.push("callers");
  const picked: JsonObject = {};
  for (const [field, item] of Object.entries(value)) {
    const path = `${at}.${field}`;
    if (field === "on" || field === "fault") continue;
    if (field === "body" && item === "" && on === "request") picked[field] = item;
    else if (["id", "appId", ...texts].includes(field)) picked[field] = requireString(item, path);
    else if (on === "request" && field === "callers") picked[field] = requireFunctions(item, path);
    else if (on === "request" && field === "status") picked[field] = requireNumber(item, path, 200, 599);
    else if (["skip", "count", "untilMs", ...numbers].includes(field))
      picked[field] = requireNumber(item, path, 0);
    else if (field === "probability") picked[field] = requireNumber(item, path, 0, 1);
    else throw new TypeError(`${path} is not known for a ${on} rule, which may have ${known.join(", ")}.`);
  }
  if (on === "request") return { ...picked, on, fault: requireFault(value.fault, requestFaults, at) };
  return { ...picked, on, fault: requireFault(value.fault, deliveryFaults, at) };
}

function requireFault<const T extends string>(value: unknown, allowed: readonly T[], at: string): T {
  const fault = allowed.find((name) => name === value);
  if (fault === undefined) throw new TypeError(`${at}.fault must be one of: ${allowed.join(", ")}.`);
  return fault;
}

function requireString(value: unknown, at: string): string {
  if (typeof value !== "string" || value === "") throw new TypeError(`${at} must be a text.`);
  return value;
}

function requireFunctions(value: unknown, at: string): string {
  if (value !== "functions") throw new TypeError(`${at} must be functions.`);
  return value;
}

function requireNumber(value: unknown, at: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== "number" || !(value >= least && value <= most)) {
    const upTo = most < Number.MAX_SAFE_INTEGER ? ` and at most ${most}` : "";
    throw new TypeError(`${at} must be a number${least >= 0 ? ` of at least ${least}${upTo}` : ""}.`);
  }
  return value;
}

function refuseUnknown(rest: JsonObject, at: string) {
  const [field] = Object.keys(rest);
  if (field !== undefined) throw new TypeError(`${field} is not a field of ${at}.`);
}

/** `code` refuses the request, with its usual status by default. */
export type RequestFault = {
  /** The rule it comes from, for the records. */
  ruleId?: string;
  /** Waits on the platform's clock before the request is looked at. */
  delayMs?: number;
  code?: ErrorCode;
  status?: number;
  retryAfterSeconds?: number;
  /** Answers 200 with this text; the request is not processed. */
  answer?: string;
  /**
   * `dropBefore` closes the connection before the request is processed, `dropAfter` after it; `hang`
   * processes it without an answer; `truncate` announces the whole answer and sends half of it.
   */
  connection?: "dropBefore" | "dropAfter" | "hang" | "truncate";
};

/** What may go wrong with an event on its way out. */
export type DeliveryFault = {
  /** The rule it comes from, for the records. */
  ruleId?: string;
  /** Lost before the first attempt. */
  drop?: boolean;
  /** In all: 2 is one duplicate. */
  copies?: number;
  /** Waits before the first attempt, which also changes the order of events. */
  delayMs?: number;
  /** The next event to the same webhook goes first, if it comes within this time. */
  overtakenWithinMs?: number;
};

/** `path` is below the interface's base, without query. */
export type RequestFacts = {
  appId: string | undefined;
  operationId: string | undefined;
  method: string;
  path: string;
  caller: Caller;
};

export type Caller = "function" | "console" | "other";

/** For one webhook, bot or notification provider. */
export type DeliveryFacts = { appId: string; trigger: string; webhookId: string };
