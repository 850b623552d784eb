import * as z from "zod/mini";
import type { ErrorCode } from "../errors/error-table.ts";
import { readWith } from "../read-with.ts";

/**
 * Describes what goes wrong, where and how often. Fields that are absent match everything. `path` is below the interface's
 * base and may hold `*`, e.g. `/users/*`.
 */
export type FaultRule = {
  /** Names the rule in records; `rule-<n>` when absent. */
  id?: string;
  appId?: string;
  /** Chance of each match, 0 to 1; default 1. */
  probability?: number;
  /** Lets so many matches pass before the rule begins; default 0. */
  skip?: number;
  /** Ends the rule after so many faults; default never. */
  count?: number;
} & (RequestRule | DeliveryRule);

type RequestRule = {
  on: "request";
  operationId?: string;
  method?: string;
  path?: string;
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
  /** delay: default 5,000. reorder: longest wait for the event that goes first, default 5,000. */
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

/** Names what can happen to requests. */
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

/** Names what can happen to events. */
const deliveryFaults = ["drop", "duplicate", "delay", "reorder"] as const;

/** Reads settings from JSON. @throws TypeError naming every field that is wrong */
export function readFaultSettings(value: unknown): FaultSettings {
  return readWith(settingsSchema, value, "faults");
}

/** Reads one rule from JSON; `at` is its place in messages. @throws TypeError naming every field that is wrong */
export function readFaultRule(value: unknown, at: string): FaultRule {
  return readWith(ruleSchema, value, at);
}

const text = z.exactOptional(z.string().check(z.minLength(1)));
const count = numberFrom(0);

function numberFrom(least: number, most = Number.MAX_SAFE_INTEGER) {
  return z.exactOptional(z.number().check(z.gte(least), z.lte(most)));
}

function rule<Fields extends z.core.$ZodShape>(fields: Fields) {
  const shape = { id: text, appId: text, probability: numberFrom(0, 1), skip: count, count, ...fields };
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === "unrecognized_keys" ? `${keys} is not known. Such a rule may have ${known}.` : undefined,
  });
}

const ruleSchema = z.discriminatedUnion("on", [
  rule({
    on: z.literal("request"),
    fault: z.enum(requestFaults),
    ...{ operationId: text, method: text, path: text, body: z.exactOptional(z.string()) },
    ...{ delayMs: count, status: numberFrom(200, 599), retryAfterSeconds: count },
  }),
  rule({
    on: z.literal("delivery"),
    fault: z.enum(deliveryFaults),
    ...{ webhookId: text, trigger: text, delayMs: count, copies: count },
  }),
]);
const settingsSchema = z.strictObject({
  seed: z._default(z.number(), 1),
  clockSkewMs: z._default(z.number(), 0),
  rules: z._default(z.array(ruleSchema), []),
});

/** What may go wrong with a request to the platform. `code` refuses it, with the code's usual status unless given. */
export type RequestFault = {
  /** The rule it comes from, for the records. */
  ruleId?: string;
  /** Waits on the platform's clock before the request is looked at. */
  delayMs?: number;
  code?: ErrorCode;
  status?: number;
  retryAfterSeconds?: number;
  /** Answers 200 with this text instead of doing the request. */
  answer?: string;
  /**
   * Spoils the connection: `dropBefore` closes it without doing the request, `dropAfter` closes it when the request is
   * done, `hang` does the request and never answers, `truncate` announces the whole answer and sends half of it.
   */
  connection?: "dropBefore" | "dropAfter" | "hang" | "truncate";
};

/** What may go wrong with an event on its way out. */
export type DeliveryFault = {
  /** The rule it comes from, for the records. */
  ruleId?: string;
  /** Never sends it: the event is lost before the first attempt. */
  drop?: boolean;
  /** Sends it this many times in all (2 is one duplicate). */
  copies?: number;
  /** Waits before the first attempt, which also changes the order of events. */
  delayMs?: number;
  /** Lets the next event to the same webhook go first, but waits at most this long for it. */
  overtakenWithinMs?: number;
};

/** A request as rules see it. `path` is below the interface's base, without query. */
export type RequestFacts = {
  appId: string | undefined;
  operationId: string | undefined;
  method: string;
  path: string;
};

/** An event on its way to one webhook (or bot, or notification provider) as rules see it. */
export type DeliveryFacts = { appId: string; trigger: string; webhookId: string };
