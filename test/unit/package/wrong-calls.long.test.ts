import { describe, expect, it } from "vitest";
import * as eventsDoor from "../../../package/events.ts";
import * as flowsDoor from "../../../package/flows.ts";
import * as functionsDoor from "../../../package/functions.ts";
import * as platformDoor from "../../../package/platform.ts";
import * as testingDoor from "../../../package/testing.ts";
import * as triggersDoor from "../../../package/triggers.ts";
import * as webhookDoor from "../../../package/webhook.ts";
import { isOurs } from "./is-ours.ts";
import type { RightCall, RightCalls } from "./right-call.ts";
import { eventCalls } from "./right-calls/events.ts";
import { flowCalls } from "./right-calls/flows.ts";
import { functionCalls } from "./right-calls/functions.ts";
import { platformCalls } from "./right-calls/platform.ts";
import { testingCalls } from "./right-calls/testing.ts";
import { triggerCalls } from "./right-calls/triggers.ts";
import { webhookCalls } from "./right-calls/webhook.ts";
import { wrongCallsOf } from "./wrong-calls-of.ts";

const doors: Readonly<Record<string, readonly [door: object, calls: RightCalls]>> = {
  events: [eventsDoor, eventCalls],
  webhook: [webhookDoor, webhookCalls],
  triggers: [triggersDoor, triggerCalls],
  flows: [flowsDoor, flowCalls],
  functions: [functionsDoor, functionCalls],
  platform: [platformDoor, platformCalls],
  testing: [testingDoor, testingCalls],
};

/** Errors are told as JavaScript makes them, and schemas by zod; the rest of what is no function is a table to read. */
const isCalled = (name: string, exported: unknown): boolean =>
  typeof exported === "function" && (!/Error$/.test(name) || name === "RefusedRequestError");

/** What a call comes to: undefined where nothing is wrong, for as long as a test can wait. */
async function cameTo(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe.each(Object.entries(doors))("what /%s exports", (_, [door, calls]) => {
  it("has a right call for each function, to make wrong ones of", () => {
    const functions = Object.entries(door).flatMap(([name, value]) => (isCalled(name, value) ? [name] : []));

    expect(
      functions.filter((name) => !Object.keys(calls).some((call) => call.split(" ")[0] === name)),
    ).toEqual([]);
  });

  it.each(Object.entries(calls))("%s takes the right call", async (name, right) => {
    expect(await cameTo(() => callOf(door, name, right)(...right.args()))).toBeUndefined();
  });

  it.each(Object.entries(calls))(
    "%s says what is wrong with any other, and never its value",
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
