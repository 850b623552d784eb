import * as z from "zod/mini";
import type { ErrorCode } from "../errors/error-table.ts";
import { readWith } from "../read-with.ts";

/**
 * A rule for faults: what, where and how often. Missing fields match everything. `path` is below the
 * interface's base and may contain `*`: `/users/*`.
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
  /** The end, in milliseconds since 1970 by the platform's clock; default: never. */
  untilMs?: number;
} & (RequestRule | DeliveryRule);

type RequestRule = {
  on: "request";
  operationId?: string;
  method?: string;
  path?: string;
  /** Limits the rule to deployed functions; default: everyone but the console. */
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
  /** delay: default 5,000. reorder: maximum wait for the next event, default 5,000. */
  delayMs?: number;
  /** duplicate: total number of deliveries; default 2. */
  copies?: number;
};

/** The same seed and requests lead to the same faults. */
export type FaultSettings = {
  seed: number;
  /** Added to every timestamp that the platform writes. */
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

const filled = z.exactOptional(z.string().check(z.minLength(1)));
const amount = z.exactOptional(z.number().check(z.gte(0)));
const common = {
  id: filled,
  appId: filled,
  skip: amount,
  count: amount,
  untilMs: amount,
  delayMs: amount,
  probability: z.exactOptional(z.number().check(z.gte(0), z.lte(1))),
};

function ruleOf<T extends z.core.$ZodShape>(shape: T) {
  const known = `is not known for such a rule, which may have ${Object.keys(shape).join(", ")}.`;
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? `${issue.keys.join(", ")} ${known}` : undefined),
  });
}

const ruleSchema = z.discriminatedUnion(
  "on",
  [
    ruleOf({
      on: z.literal("request"),
      fault: z.enum(requestFaults),
      ...common,
      operationId: filled,
      method: filled,
      path: filled,
      body: z.exactOptional(z.string()),
      callers: z.exactOptional(z.literal("functions")),
      status: z.exactOptional(z.number().check(z.gte(200), z.lte(599))),
      retryAfterSeconds: amount,
    }),
    ruleOf({
      on: z.literal("delivery"),
      fault: z.enum(deliveryFaults),
      ...common,
      webhookId: filled,
      trigger: filled,
      copies: amount,
    }),
  ],
  "must be request or delivery",
);

const settingsSchema = z.strictObject({
  seed: z._default(z.number(), 1),
  clockSkewMs: z._default(z.number(), 0),
  rules: z._default(z.array(ruleSchema), []),
});

/** @throws TypeError naming every wrong field */
export function readFaultSettings(value: unknown): FaultSettings {
  return readWith(settingsSchema, value, "faults");
}

/** @param at its place in messages @throws TypeError naming every wrong field */
export function readFaultRule(value: unknown, at: string): FaultRule {
  return readWith(ruleSchema, value, at);
}

/** `code` refuses the request; default: with its usual status. */
export type RequestFault = {
  ruleId?: string;
  /** Waits on the platform's clock before the request is read. */
  delayMs?: number;
  code?: ErrorCode;
  status?: number;
  retryAfterSeconds?: number;
  /** Answers 200 with this text, without processing the request. */
  answer?: string;
  /**
   * `dropBefore` closes the connection before the request is processed, `dropAfter` after it; `hang`
   * processes it without an answer; `truncate` announces the whole answer and sends half of it.
   */
  connection?: "dropBefore" | "dropAfter" | "hang" | "truncate";
};

export type DeliveryFault = {
  ruleId?: string;
  /** Lost before the first attempt. */
  drop?: boolean;
  /** The total: 2 is one duplicate. */
  copies?: number;
  /** Waits before the first attempt, so that later events overtake it. */
  delayMs?: number;
  /** The next event to the same webhook overtakes it within this time. */
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

export type DeliveryFacts = { appId: string; trigger: string; webhookId: string };
