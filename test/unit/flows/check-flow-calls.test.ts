import { describe, expect, it } from "vitest";
import { InvalidInputError } from "../../../lib/chat/errors.ts";
import { checkStepName, checkWait, checkWays } from "../../../lib/flows/check-flow.ts";

/** Says of a call what it is refused with. */
const refusal = (message: string) => expect.objectContaining({ name: "InvalidInputError", message });

describe("checkStepName", () => {
  it.each(["remind", ""])("gives the name %j", (name) => {
    expect(checkStepName(name)).toBe(name);
  });

  it.each([
    [undefined, 'Cannot call do: "name" is missing; it must be a text.'],
    [7, 'Cannot call do: "name" must be a text.'],
  ])("refuses %j", (name, message) => {
    expect(() => Reflect.apply(checkStepName, undefined, [name])).toThrow(refusal(message));
  });
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
