import * as z from "zod/mini";
import { isRecord } from "../../lib/base/json.ts";
import { lazy } from "../../lib/base/lazy.ts";
import { aFunctionGiven, checkCall } from "../../lib/chat/check-call.ts";
import type { Schema } from "../../lib/chat/schema.ts";
import type { Trigger } from "../../lib/handle/on-trigger.ts";

/**
 * A misspelled option would be ignored silently.
 * @param more the options that only this call has
 * @throws InvalidInputError
 */
export function checkStoryOptions(
  call: string,
  options: unknown,
  more: Readonly<Record<string, Schema>> = {},
): void {
  checkCall(call, "options", z.strictObject({ ...storyShape(), ...more }), options);
}

export const triggerSchema = lazy(() =>
  z.custom<unknown>((value) => isTrigger(value) || isTable(value), "what onTrigger made, or a table of that"),
);

export function isTrigger(value: unknown): value is Trigger {
  return Array.isArray(Object(value).names) && typeof Object(value).run === "function";
}

function isTable(value: unknown) {
  const triggers = isRecord(value) ? Object.values(value) : [];
  return triggers.length > 0 && triggers.every(isTrigger);
}

export const flowSchema = lazy(() =>
  z.custom<unknown>(
    (value) => typeof Object(value).misfitOf === "function" && typeof Object(value).run === "function",
    "what defineFlow made",
  ),
);
/** Plain data, like a delivery, or a derived event. */
export const eventSchema = lazy(() =>
  z.custom<unknown>(isEvent, "the body of a delivery, as the builders of events make it, or a derived event"),
);

function isEvent(value: unknown) {
  // What cannot be cloned is not data.
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Boolean(structuredClone(value))
  );
}

const valid = () => z.date("a valid Date");
const whole = (least: number) =>
  z.int("a whole number").check(z.gte(least, `a whole number of at least ${least}`));
const after = () => z.custom<unknown>((value) => typeof value === "string", "a length of time such as 5min");

/** The rest is read as `createPlatform` reads a seed. */
export const appGiven = () =>
  z.looseObject({ appId: z.optional(z.never("left out: the events name their app")) });

export const longestMs = 3_155_760_000_000;

export const playedShape = lazy(() => {
  const edge = z.strictObject({ when: z.enum(["before", "after"]), edge: whole(0) });
  return {
    crash: z.optional(z.union([z.string(), z.array(z.union([z.string(), edge]))])),
    flows: z.optional(z.array(flowSchema())),
  };
});

const storyShape = lazy(() => {
  const target = z.union([
    z.strictObject({ kind: z.enum(["app", "lease"]) }),
    z.strictObject({ kind: z.enum(["trigger", "flow"]), name: z.string() }),
  ]);
  const later = z.union([
    z.strictObject({ after: after(), event: z.union([aFunctionGiven(), eventSchema()]) }),
    z.strictObject({ after: after(), cancel: flowSchema() }),
    z.strictObject({ after: after(), pause: target }),
    z.strictObject({ after: after(), resume: target }),
  ]);
  return {
    ...playedShape(),
    clock: z.optional(valid()),
    later: z.optional(z.array(later)),
    mostTurns: z.optional(z.number().check(z.gte(1))),
    shadow: z.optional(z.boolean()),
    secrets: z.optional(z.record(z.string(), z.string())),
    app: z.optional(appGiven()),
    answer: z.optional(aFunctionGiven()),
    outside: z.optional(aFunctionGiven()),
    allowedHosts: z.optional(z.array(z.string())),
  };
});
