import { describe, expect, it } from "vitest";
import { checkSettings, checkTrigger } from "../../../lib/handle/on-trigger.ts";

const handle = () => undefined;
const check =
  (names: unknown, ...rest: readonly unknown[]) =>
  () =>
    checkTrigger(names, rest);

const itself: Record<string, unknown> = {};
itself.itself = itself;

describe("checkTrigger", () => {
  it.each<[string, ...(readonly unknown[])]>([
    ["an event", "message_sent", handle],
    ["several events", ["message_sent", "call_missed"], handle],
    ["all events", "*", handle],
    ["no options", "message_sent", {}, handle],
    ["conditions", "message_sent", { where: { text: "refund" } }, handle],
    ["a time as a text", "message_sent", { maxAge: "1h" }, handle],
    ["a time in milliseconds", "message_sent", { maxAge: 5 }, handle],
    ["settings", "message_sent", { settings: { of: handle } }, handle],
    ["names for its effects", "message_sent", { namesOf: handle }, handle],
    ["options left open", "message_sent", { where: undefined, settings: undefined }, handle],
  ])("accepts %s", (_what, names, ...rest) => {
    expect(check(names, ...rest)).not.toThrow();
  });

  const ofEvents = '"names" must be of events that docs/events.md has';

  it.each<[string, unknown, readonly unknown[]]>([
    [
      `${ofEvents}. There is no event "message_snt"; the nearest name is "message_sent".`,
      "message_snt",
      [handle],
    ],
    [`${ofEvents}. A stored message is reported as "message_sent".`, "message_new", [handle]],
    [`${ofEvents}.`, "invoice_paid", [handle]],
    [`${ofEvents}.`, ["message_sent", 7], [handle]],
    ['"handle" is missing; it must be a function.', "message_sent", []],
    ['"handle" must be a function.', "message_sent", [{ where: {} }]],
    ['"options" must be an object.', "message_sent", ["1h", handle]],
    ['"whree" must be called where.', "message_sent", [{ whree: {} }, handle]],
    ['"where" must be conditions by their names.', "message_sent", [{ where: "refund" }, handle]],
    ['"maxAge" must be such as 1h, or milliseconds.', "message_sent", [{ maxAge: true }, handle]],
    ['"settings" must be what settingsFrom makes.', "message_sent", [{ settings: {} }, handle]],
    ['"namesOf" must be a function.', "message_sent", [{ namesOf: "order" }, handle]],
    [
      '"options" must be plain data that can be read and written as JSON.',
      "message_sent",
      [{ where: { itself } }, handle],
    ],
  ])("refuses a trigger: %s", (rest, names, given) => {
    expect(check(names, ...given)).toThrow(
      expect.objectContaining({ message: `Cannot call onTrigger: ${rest}` }),
    );
  });
});

describe("checkSettings", () => {
  it("accepts an object that returns an app's settings", () => {
    expect(() => checkSettings("createForward", { of: handle })).not.toThrow();
  });

  it.each([
    [{ of: "app-1" }, '"settings" must be what settingsFrom makes.'],
    [null, '"settings" must be what settingsFrom makes.'],
    [undefined, '"settings" is missing; it must be what settingsFrom makes.'],
  ])("refuses %j", (settings, rest) => {
    expect(() => checkSettings("createForward", settings)).toThrow(
      expect.objectContaining({ name: "InvalidInputError", message: `Cannot call createForward: ${rest}` }),
    );
  });

  it("refuses settings that throw when they are read", () => {
    const trap = {
      get of() {
        throw new Error("not yours");
      },
    };

    expect(() => checkSettings("createForward", trap)).toThrow(
      expect.objectContaining({ name: "InvalidInputError", operation: "createForward", field: "settings" }),
    );
  });
});
