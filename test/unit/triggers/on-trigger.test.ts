import { describe, expect, it } from "vitest";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { enabledTriggers, UnknownTriggerError } from "../../../lib/triggers/enabled-triggers.ts";
import { handles, isWanted, onTrigger, type TriggerContext } from "../../../lib/triggers/on-trigger.ts";
import { derivedEvents } from "../../helpers/events/derived-events.ts";
import { events } from "../../helpers/events/events.ts";

const trigger = (name: string) => onTrigger("message_sent", () => Promise.reject(new Error(name)));
const table = { "auto-reply": trigger("a"), welcome: trigger("w"), escalate: trigger("e") };

function parse(body: object) {
  const parsed = parseEvent(body);
  if (!parsed.ok) throw new Error("The body is no event.");
  return parsed.event;
}

describe("enabledTriggers", () => {
  it("turns on nothing by itself", () => {
    expect(enabledTriggers(table, "")).toEqual({});
    expect(enabledTriggers(table, " , ")).toEqual({});
  });

  it("gives those that are named, in the table's order", () => {
    const enabled = enabledTriggers(table, " escalate, auto-reply,,escalate ");

    expect(Object.entries(enabled)).toEqual([
      ["auto-reply", table["auto-reply"]],
      ["escalate", table.escalate],
    ]);
  });

  it.each(["auto reply", "Welcome", "toString"])("refuses a name that no trigger has: %s", (name) => {
    expect(() => enabledTriggers(table, `welcome,${name}`)).toThrow(UnknownTriggerError);
    expect(() => enabledTriggers(table, `welcome,${name}`)).toThrow(
      `ENABLED_TRIGGERS names "${name}", and there is no trigger of that name, neither in functions/own/triggers.ts nor among the shipped ones. There are: auto-reply, welcome, escalate. Check config/triggers.yml.`,
    );
  });
});

describe("handles", () => {
  const sent = parse(events.messageSent());

  it.each([
    ["the one it names", ["message_sent"], sent, true],
    ["one of several", ["message_edited", "message_sent"], sent, true],
    ["every one", ["*"], sent, true],
    ["none", [], sent, false],
    ["another", ["message_edited"], sent, false],
    ["a derived one", ["call_missed"], derivedEvents.callMissed(), true],
    ["every one, derived ones too", ["*"], derivedEvents.callMissed(), true],
    ["an unknown one, whatever its name", ["*"], parse({ trigger: "call_missed", data: {} }), true],
    [
      "a derived one, which none from outside can be",
      ["call_missed"],
      parse({ trigger: "call_missed", data: {} }),
      false,
    ],
  ] as const)("wants %s", (_case, names, event, expected) => {
    expect(handles({ names }, event)).toBe(expected);
  });
});

describe("onTrigger", () => {
  const contextOf = (event: TriggerContext["event"]) => ({ event }) as TriggerContext;

  it("runs for its own events only, whoever calls it", async () => {
    const seen: unknown[] = [];
    const one = onTrigger(
      ["message_sent", "call_missed"],
      async ({ event }) => void seen.push(event.trigger),
    );

    await one.run(contextOf(parse(events.messageSent())));
    await one.run(contextOf(parse(events.messageEdited())));
    await one.run(contextOf(parse({ trigger: "call_missed", data: {} })));
    await one.run(contextOf(derivedEvents.callMissed()));

    expect(seen).toEqual(["message_sent", "call_missed"]);
    expect(one.names).toEqual(["message_sent", "call_missed"]);
  });

  it("throws what the handler throws", async () => {
    await expect(trigger("mine").run(contextOf(parse(events.messageSent())))).rejects.toThrow("mine");
  });
});

describe("isWanted", () => {
  it.each([
    ["call_missed", ["call_missed"], true],
    ["call_missed", ["*"], true],
    ["call_missed", ["call_summary", "message_sent"], false],
  ] as const)("tells whether anybody wants %s: %s", (name, names, expected) => {
    expect(isWanted([{ names: ["message_edited"] }, { names }], name)).toBe(expected);
  });

  it("is wanted by nobody where there is nobody", () => {
    expect(isWanted([], "call_missed")).toBe(false);
  });
});
