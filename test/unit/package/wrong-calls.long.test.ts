import { describe, expect, it } from "vitest";
import * as eventsDoor from "../../../package/events.ts";
import * as flowsDoor from "../../../package/flows.ts";
import * as functionsDoor from "../../../package/functions.ts";
import * as platformDoor from "../../../package/platform.ts";
import * as testingDoor from "../../../package/testing.ts";
import * as triggersDoor from "../../../package/triggers.ts";
import * as webhookDoor from "../../../package/webhook.ts";
import { marker, oddities } from "./oddities.ts";
import type { RightCall, RightCalls } from "./right-call.ts";
import { eventCalls } from "./right-calls/events.ts";
import { flowCalls } from "./right-calls/flows.ts";
import { functionCalls } from "./right-calls/functions.ts";
import { platformCalls } from "./right-calls/platform.ts";
import { testingCalls } from "./right-calls/testing.ts";
import { triggerCalls } from "./right-calls/triggers.ts";
import { webhookCalls } from "./right-calls/webhook.ts";

const doors: Readonly<Record<string, readonly [door: object, calls: RightCalls]>> = {
  events: [eventsDoor, eventCalls],
  webhook: [webhookDoor, webhookCalls],
  triggers: [triggersDoor, triggerCalls],
  flows: [flowsDoor, flowCalls],
  functions: [functionsDoor, functionCalls],
  platform: [platformDoor, platformCalls],
  testing: [testingDoor, testingCalls],
};

/** Errors are JavaScript's, and schemas zod's; other exports that are not functions are tables to read. */
const isCalled = (name: string, exported: unknown) =>
  typeof exported === "function" && (!/Error$/.test(name) || name === "RefusedRequestError");

/** The error of a call; undefined if nothing is wrong. */
async function cameTo(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe.each(Object.entries(doors))("what /%s exports", (_, [door, calls]) => {
  it("has a correct call for each function, to derive wrong ones from", () => {
    const functions = Object.entries(door).flatMap(([name, value]) => (isCalled(name, value) ? [name] : []));

    expect(
      functions.filter((name) => !Object.keys(calls).some((call) => call.split(" ")[0] === name)),
    ).toEqual([]);
  });

  it.each(Object.entries(calls))("%s accepts the correct call", async (name, right) => {
    expect(await cameTo(() => callOf(door, name, right)(...right.args))).toBeUndefined();
  });

  it.each(Object.entries(calls))(
    "%s reports the mistake in any other call, but not its value",
    async (name, right) => {
      const call = callOf(door, name, right);
      const bare: string[] = [];

      for (const wrong of wrongCallsOf(right)) {
        const error = await cameTo(() => call(...wrong.args));
        const isTaken = error === undefined && wrong.mayBeTaken;
        if (!isTaken && !isOurs(error, wrong.name)) bare.push(`${wrong.name} → ${error ?? "taken"}`);
      }

      expect(bare).toEqual([]);
    },
  );
});

function callOf(door: object, name: string, { call }: RightCall): (...args: readonly unknown[]) => unknown {
  return call ?? ((...args) => Reflect.apply(Reflect.get(door, name.split(" ")[0] ?? ""), undefined, args));
}

/** Whether an error names the mistake. */
function isOurs(error: unknown, place: string) {
  if (!(error instanceof Error)) return false;
  const { message } = error;
  return !bare.test(message) && !(secretPlace.test(place) && message.includes(marker));
}

const secretPlace = /password|secret|key|credential|token/i;

/** Messages of the language and its libraries. */
const bare =
  /^Cannot (read|destructure|convert|set|use|mix)|is not (a function|iterable|an object|defined|a constructor)|hands off|no name$|Invalid (time value|URL|array length)|\[$/;

/** A call with one mistake. */
interface WrongCall {
  /** The mistake and its place: `0.tags: symbol`, `0: unheardOf beside`. */
  readonly name: string;
  readonly args: readonly unknown[];
  readonly mayBeTaken: boolean;
}

type Names = readonly (string | number)[];

/** Makes every call that differs from the correct one in one place. */
function wrongCallsOf(right: RightCall): WrongCall[] {
  const { free = [], whole = [] } = right;
  return placesIn(right.args, whole).flatMap(({ names, value }) => {
    const place = names.join(".");
    const replaced = Object.entries(oddities).map(([oddity, make]) => ({
      name: `${place}: ${oddity}`,
      args: replace(right.args, names, make()),
      mayBeTaken: true,
    }));
    if (!isPlain(value) || free.includes(place) || whole.includes(place)) return replaced;
    const stray = { name: `${place}: unheardOf beside`, mayBeTaken: false };
    return [...replaced, { ...stray, args: replace(right.args, names, { ...value, unheardOf: 1 }) }];
  });
}

/** Lists the places of arguments: each argument, and the values in plain objects and lists. */
function placesIn(args: readonly unknown[], whole: readonly string[]) {
  const places: { names: Names; value: unknown }[] = [];
  const walk = (value: unknown, names: Names) => {
    if (names.length > 0) places.push({ names, value });
    if (whole.includes(names.join("."))) return;
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...names, index]);
    else if (isPlain(value)) for (const [name, item] of Object.entries(value)) walk(item, [...names, name]);
  };
  for (const [index, arg] of args.entries()) walk(arg, [index]);
  return places;
}

function replace(value: unknown, [name, ...rest]: Names, by: unknown): readonly unknown[] {
  const next = rest.length === 0 ? by : replace(Reflect.get(Object(value), name ?? ""), rest, by);
  if (Array.isArray(value)) return value.map((item, index) => (index === name ? next : item));
  return { ...Object(value), [name ?? ""]: next };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
