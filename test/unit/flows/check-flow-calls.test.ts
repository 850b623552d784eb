import { describe, expect, it } from "vitest";
import { InvalidInputError } from "../../../lib/chat/errors.ts";
import { groups } from "../../../lib/chat/resources/groups.ts";
import { members } from "../../../lib/chat/resources/members.ts";
import { checkList, checkStepName, checkWait, checkWays, checkWork } from "../../../lib/flows/check-flow.ts";
import { checkUntil } from "../../../lib/flows/flow-length.ts";

/** Says of a call what it is refused with. */
const refusal = (message: string) => expect.objectContaining({ name: "InvalidInputError", message });

it.each(["remind", ""])("checkStepName gives the name %j", (name) => {
  expect(checkStepName("do", name)).toBe(name);
});

it("take a list, code and a time that are fine", () => {
  for (const limit of [1, 1_000]) expect(() => checkList({ limit }, members.list)).not.toThrow();
  expect(() => checkWork(async () => 1)).not.toThrow();
  for (const ms of [0, 1e13]) expect(() => checkUntil(new Date(ms))).not.toThrow();
});

it.each<[string, (...given: never[]) => unknown, readonly unknown[]]>([
  ['do: "name" is missing; it must be a text.', checkStepName, ["do"]],
  ['list: "name" is missing; it must be a text.', checkStepName, ["list"]],
  ['run: "name" must be a text.', checkStepName, ["run", 7]],
  ['list: "options" is missing; it must be { limit }.', checkList, []],
  ['list: "options" must be { limit }.', checkList, [10, members.list]],
  ['list: "lmit" must be called limit.', checkList, [{ lmit: 1 }, members.list]],
  ['list: "limit" is missing; it must be a whole number of items.', checkList, [{}, members.list]],
  ['list: "limit" must be a whole number of items.', checkList, [{ limit: 0 }, members.list]],
  ['list: "limit" must be a whole number of items.', checkList, [{ limit: "10" }, members.list]],
  [
    'list: "operation" is missing; it must be a list of the client, such as members.list.',
    checkList,
    [{ limit: 1 }],
  ],
  [
    'list: "operation" must be a list of the client, such as members.list.',
    checkList,
    [{ limit: 1 }, groups.get],
  ],
  ['run: "work" is missing; it must be a function.', checkWork, []],
  ['run: "work" must be a function.', checkWork, [Promise.resolve(1)]],
  ['waitUntil: "date" is missing; it must be a valid Date.', checkUntil, []],
  ['waitUntil: "date" must be a valid Date.', checkUntil, [new Date("tomorrow")]],
  ['waitUntil: "date" must be a valid Date.', checkUntil, [1_767_225_600_000]],
])("refuse a wrong call: %s", (message, check, given) => {
  expect(() => Reflect.apply(check, undefined, given)).toThrow(refusal(`Cannot call ${message}`));
});

describe("checkWait", () => {
  const itself: Record<string, unknown> = {};
  itself.itself = itself;

  it.each<[unknown, object, (readonly string[])?]>([
    ["message_sent", {}],
    ["message_sent", { within: "1h", where: { text: "yes" } }, ["call_missed", "message_sent"]],
    ["message_sent", { where: undefined }, ["message_sent"]],
  ])("takes %j with %j, of %j", (trigger, options, declared) => {
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
    [`"name" is missing; it must be ${among}.`, undefined, {}],
    ['"options" is missing; it must be { where, within }.', "message_sent", undefined],
    ['"options" must be { where, within }.', "message_sent", "1h"],
    ['"wihtin" must be called within.', "message_sent", { wihtin: "1h" }],
    ['"wher" must be called where.', "message_sent", { wher: {} }],
    ['"where" must be conditions by their names.', "message_sent", { where: "yes" }],
    ['"where" must be conditions by their names.', "message_sent", { where: null }],
    ['"options" must be plain data that can be read and written as JSON.', "message_sent", { where: itself }],
  ])("refuses what would be waited for in vain: %s", (rest, trigger, options, declared) => {
    expect(() => checkWait(trigger, options, declared)).toThrow(refusal(`Cannot call waitFor: ${rest}`));
  });
});

describe("checkWays", () => {
  const way = () => undefined;

  it.each([[[]], [[way]], [[way, way]]])("takes %j", (ways) => {
    expect(() => checkWays("all", ways)).not.toThrow();
  });

  it.each([
    [undefined, "is missing; it must be"],
    [way, "must be"],
    [[way, "way"], "must be"],
    [{ every: () => true }, "must be"],
  ])("refuses %j", (ways, must) => {
    expect(() => checkWays("race", ways)).toThrow(InvalidInputError);
    expect(() => checkWays("race", ways)).toThrow(
      refusal(`Cannot call race: "ways" ${must} a list of functions, which get a flow each.`),
    );
  });

  it("refuses what cannot be looked at", () => {
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
