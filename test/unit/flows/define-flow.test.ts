import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import * as z3 from "zod/v3";
import { PermanentError } from "../../../lib/base/errors.ts";
import { groups } from "../../../lib/chat/resources/groups.ts";
import { members } from "../../../lib/chat/resources/members.ts";
import { startFlow } from "../../../lib/effects/start-flow.ts";
import { checkList, checkStepName, checkWait, checkWays, checkWork } from "../../../lib/flows/check-flow.ts";
import { checkFlowNames, defineFlow, deployedFlows, FlowNameError } from "../../../lib/flows/define-flow.ts";
import {
  checkUntil,
  fromFlowText,
  longestSeconds,
  secondsOf,
  secondsUntil,
  toFlowText,
} from "../../../lib/flows/flow.ts";
import { createFlowMarks } from "../../../lib/flows/flow-marks.ts";
import { createFlowStarter } from "../../../lib/flows/flow-starter.ts";
import { toStoredError } from "../../../lib/flows/stored-error.ts";
import { messageFlow } from "./flow-world.ts";

const byUid = z.object({ uid: z.string() });

describe("defineFlow", () => {
  it.each(["", "Welcome", "a b", "1st", "a".repeat(31)])("refuses the name %j", (name) => {
    expect(() => defineFlow(name, byUid, async () => {})).toThrow(FlowNameError);
  });

  it("reports that a schema is of zod 3, without its parts", () => {
    const define = () => Reflect.apply(defineFlow, undefined, ["a", z3.object({}), async () => {}]);

    expect(define).toThrow('"options" must be a schema of zod 4');
  });

  it("refuses two flows with one name", () => {
    const flow = defineFlow("a", byUid, async () => {});

    expect(() => checkFlowNames([flow, defineFlow("a", byUid, async () => {})])).toThrow('"a"');
    expect(() => checkFlowNames([flow])).not.toThrow();
  });
});

describe("startFlow", () => {
  const flow = defineFlow("greet", byUid, async () => {});

  it("refuses an invalid and a too large input without quoting it", () => {
    const wrong: never = { uid: 7 } as never;

    expect(() => startFlow(flow, wrong)).toThrow(PermanentError);
    expect(() => startFlow(flow, wrong)).toThrow(/uid: /);
    expect(() => startFlow(flow, { uid: "x".repeat(100_001) })).toThrow(/100000 bytes/);
    expect(startFlow(flow, { uid: "ann" }).kind).toBe("start-flow");
  });
});

describe("toFlowText", () => {
  it.each([
    { at: new Date(0), deep: [{ at: new Date(1.5e12) }], text: "a", none: null },
    { $date: 5 },
    { $plain: [["$date", 7]] },
    { $date: new Date(3) },
    { at: new Date(Number.NaN) },
    "text",
    null,
    [],
  ])("writes %j so that it is read back unchanged", (value) => {
    expect(fromFlowText(toFlowText(value))).toEqual(value);
  });

  it.each([
    [undefined, "null"],
    [new Date(5), '{"$date":5}'],
    [{ $date: 5 }, '{"$plain":[["$date",5]]}'],
    [{ $date: 5, a: 1 }, '{"$date":5,"a":1}'],
    [{ text: "a" }, '{"text":"a"}'],
    [new URL("https://a.b"), '"https://a.b/"'],
  ])("writes %j in the form that running flows have stored", (value, text) => {
    expect(toFlowText(value)).toBe(text);
  });
});

describe("secondsOf", () => {
  it("adds up units, and refuses less than a second and more than a year", () => {
    expect(secondsOf({ days: 1, hours: 1, minutes: 1, seconds: 0.5 })).toBe(90_061);
    expect([secondsOf({ seconds: 1 }), secondsOf({ days: 366 })]).toEqual([1, longestSeconds]);
    expect(() => secondsOf({ minutes: 0 })).toThrow(RangeError);
    expect(() => secondsOf({ days: 367 })).toThrow(RangeError);
    expect(() => secondsOf({ seconds: Number.NaN })).toThrow(RangeError);
  });

  it("counts whole seconds until a date, less than 366 days", () => {
    const until = (ms: number) => secondsUntil(new Date(1_000 + ms), 1_000);

    expect([-5, 0, 1, 1_001, (longestSeconds - 1) * 1000].map(until)).toEqual([
      0,
      0,
      1,
      2,
      longestSeconds - 1,
    ]);
    expect(() => until(longestSeconds * 1000)).toThrow(PermanentError);
  });
});

const flow = messageFlow("greet", async () => undefined);

describe("a stage with flows: off", () => {
  it("includes no flows", () => {
    vi.stubEnv("FLOWS", "off");
    const inStage = deployedFlows([flow]);
    vi.unstubAllEnvs();

    expect([inStage, deployedFlows([flow])]).toEqual([[], [flow]]);
  });

  it("dead-letters immediately, without a request, an event whose trigger starts a flow", async () => {
    const send = async () => {
      throw new Error("a request");
    };
    const table = { get: send, put: send, update: send, delete: send, query: send, batchGet: send };
    const { start } = createFlowStarter({
      callAws: send,
      marks: createFlowMarks(table as never, Date.now),
      functionName: "",
    });

    await expect(
      start({ flow: "greet", appId: "app-1", waitsFor: [], input: {} } as never, "1"),
    ).rejects.toThrow(PermanentError);
  });
});

describe("an error in an execution's history", () => {
  it("is the type and the place of a handler's error, and no text", () => {
    expect(toStoredError(new TypeError("I love you"))).toMatchObject({
      name: "TypeError",
      message: expect.stringMatching(/^at define-flow.test\.ts:\d+:\d+$/),
    });
  });

  it.each([
    ["its own message of an error that is thrown on purpose", new PermanentError("no such order")],
    ["an error of the SDK unchanged", Object.assign(new Error("ended"), { isUnrecoverable: true })],
    ["what is no error", "ended"],
  ])("is %s", (_, error) => {
    expect(toStoredError(error)).toBe(error);
  });

  it("does not name unknown fields of an input", () => {
    const flow = defineFlow("order", z.strictObject({ id: z.string() }), async () => undefined);

    expect(flow.misfitOf({ "I love you": 1 })).toBe("id: invalid_type; input: unrecognized_keys");
  });
});

/** Returns the refusal of a call. */
const refusal = (message: string) => expect.objectContaining({ name: "InvalidInputError", message });

it.each(["remind", ""])("checkStepName returns the name %j", (name) => {
  expect(checkStepName("do", name)).toBe(name);
});

it("accepts a valid list, valid code and a valid time", () => {
  for (const limit of [1, 1_000]) expect(() => checkList({ limit }, members.list)).not.toThrow();
  expect(() => checkWork(async () => 1)).not.toThrow();
  for (const ms of [0, 1e13]) expect(() => checkUntil(new Date(ms))).not.toThrow();
});

it.each<[string, (...given: never[]) => unknown, readonly unknown[]]>([
  ['do: "name" is missing; it must be a text.', checkStepName, ["do"]],
  ['run: "name" must be a text.', checkStepName, ["run", 7]],
  ['list: "options" must be { limit }.', checkList, [10, members.list]],
  ['list: "lmit" must be called limit.', checkList, [{ lmit: 1 }, members.list]],
  ['list: "limit" must be a whole number of items.', checkList, [{ limit: 0 }, members.list]],
  [
    'list: "operation" must be a list of the client, such as members.list.',
    checkList,
    [{ limit: 1 }, groups.get],
  ],
  ['run: "work" must be a function.', checkWork, [Promise.resolve(1)]],
  ['a wait of a flow: "length" must be such as { minutes: 10 }.', secondsOf, ["10min"]],
  ['a wait of a flow: "minuets" must be called minutes.', secondsOf, [{ minuets: 1 }]],
  ['a wait of a flow: "days" must be a number.', secondsOf, [{ days: "1" }]],
  ['waitUntil: "date" must be a valid Date.', checkUntil, [new Date("tomorrow")]],
])("refuses a wrong call: %s", (message, check, given) => {
  expect(() => Reflect.apply(check, undefined, given)).toThrow(refusal(`Cannot call ${message}`));
});

describe("checkWait", () => {
  const itself: Record<string, unknown> = {};
  itself.itself = itself;

  it.each<[unknown, object, (readonly string[])?]>([
    ["message_sent", {}],
    ["message_sent", { within: "1h", where: { text: "yes" } }, ["call_missed", "message_sent"]],
    ["message_sent", { where: undefined }, ["message_sent"]],
  ])("accepts %j with %j, of %j", (trigger, options, declared) => {
    expect(() => checkWait(trigger, options, declared)).not.toThrow();
  });

  const among = "among those that the flow is defined to wait for";

  it.each<[string, unknown, unknown, (readonly string[])?]>([
    [`"name" must be ${among}.`, "message_snt", {}],
    [`"name" must be ${among}.`, "message_sent", {}, []],
    [
      `"name" must be ${among}: call_missed, user_blocked.`,
      "message_sent",
      {},
      ["call_missed", "user_blocked"],
    ],
    [`"name" must be ${among}: invoice_paid.`, "invoice_paid", {}, ["invoice_paid"]],
    ['"options" must be { where, within }.', "message_sent", "1h"],
    ['"wihtin" must be called within.', "message_sent", { wihtin: "1h" }],
    ['"where" must be conditions by their names.', "message_sent", { where: "yes" }],
    ['"options" must be plain data that can be read and written as JSON.', "message_sent", { where: itself }],
  ])("refuses a wrong wait: %s", (rest, trigger, options, declared) => {
    expect(() => checkWait(trigger, options, declared)).toThrow(refusal(`Cannot call waitFor: ${rest}`));
  });
});

describe("checkWays", () => {
  const way = () => undefined;

  it.each([[[]], [[way]], [[way, way]]])("accepts %j", (ways) => {
    expect(() => checkWays("all", ways)).not.toThrow();
  });

  it.each([
    [undefined, "is missing; it must be"],
    [way, "must be"],
    [[way, "way"], "must be"],
    [{ every: () => true }, "must be"],
  ])("refuses %j", (ways, must) => {
    expect(() => checkWays("race", ways)).toThrow(
      refusal(`Cannot call race: "ways" ${must} a list of functions, which get a flow each.`),
    );
  });

  it("refuses an unreadable value", () => {
    const ways = new Proxy([], {
      get: () => {
        throw new Error("not yours");
      },
    });

    expect(() => checkWays("all", ways)).toThrow(
      expect.objectContaining({ name: "InvalidInputError", operation: "all", field: "ways" }),
    );
  });
});
