import { describe, expect, it } from "vitest";
import { GuardKeyError } from "../../../lib/events/marks/loop-guard.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import {
  enabledTriggers,
  InvalidTriggerError,
  UnknownTriggerError,
} from "../../../lib/handle/enabled-triggers.ts";
import { handles, isWanted, onTrigger, type RunContext } from "../../../lib/handle/on-trigger.ts";
import { derivedEvents } from "../../../local/testing/events/derived-events.ts";
import { events } from "../../../local/testing/events/events.ts";
import { createTestGuard } from "../../helpers/loop-guard.ts";
import { createAttemptWorld, startMs } from "./attempt-world.ts";

const trigger = (name: string) => onTrigger("message_sent", () => Promise.reject(new Error(name)));
const table = { "auto-reply": trigger("a"), welcome: trigger("w"), escalate: trigger("e") };

function parse(body: object) {
  const parsed = parseEvent(body);
  if (!parsed.ok) throw new Error("The body is no event.");
  return parsed.event;
}

describe("enabledTriggers", () => {
  it("turns on no trigger by default", () => {
    expect(enabledTriggers(table, "").table).toEqual({});
    expect(enabledTriggers(table, " , ").table).toEqual({});
  });

  it("returns the named triggers in the table's order", () => {
    const enabled = enabledTriggers(table, " escalate, auto-reply,,escalate ");

    expect(Object.entries(enabled.table)).toEqual([
      ["auto-reply", table["auto-reply"]],
      ["escalate", table.escalate],
    ]);
  });

  it("returns which triggers run in shadow", () => {
    const { table: enabled, shadowed } = enabledTriggers(
      table,
      "welcome(shadow),escalate , auto-reply  (shadow)",
    );

    expect(Object.keys(enabled)).toEqual(["auto-reply", "welcome", "escalate"]);
    expect([...shadowed]).toEqual(["welcome", "auto-reply"]);
    expect([...enabledTriggers(table, "welcome (shadow), welcome").shadowed]).toEqual(["welcome"]);
  });

  it.each(["auto reply", "welcome (shdow)", "Welcome", "toString", "(shadow)"])(
    "refuses a name that no trigger has: %s",
    (name) => {
      expect(() => enabledTriggers(table, `welcome,${name}`)).toThrow(UnknownTriggerError);
      expect(() => enabledTriggers(table, `welcome,${name}`)).toThrow(
        `ENABLED_TRIGGERS names "${name}", and there is no trigger of that name, neither in functions/own/triggers.ts nor among the shipped ones. There are: auto-reply, welcome, escalate. Check config/triggers.yml.`,
      );
    },
  );

  it.each([undefined, null, async () => {}, { run: async () => {} }, { names: ["message_sent"] }, []])(
    "refuses a value that onTrigger did not make, even if it is off: %j",
    (broken) => {
      const all = { ...table, broken } as unknown as typeof table;

      expect(() => enabledTriggers(all, "welcome")).toThrow(InvalidTriggerError);
      expect(() => enabledTriggers(all, "welcome")).toThrow(
        'The trigger "broken" of functions/own/triggers.ts is not what onTrigger returns.',
      );
    },
  );
});

describe("handles", () => {
  const sent = parse(events.messageSent());

  it.each([
    ["the event it names", ["message_sent"], sent, true],
    ["one of several events", ["message_edited", "message_sent"], sent, true],
    ["every event", ["*"], sent, true],
    ["no event", [], sent, false],
    ["another event", ["message_edited"], sent, false],
    ["a derived event", ["call_missed"], derivedEvents.callMissed(), true],
    ["every event, including derived ones", ["*"], derivedEvents.callMissed(), true],
    ["an unknown event of any name", ["*"], parse({ trigger: "call_missed", data: {} }), true],
    [
      "a derived event, which no received body can be",
      ["call_missed"],
      parse({ trigger: "call_missed", data: {} }),
      false,
    ],
  ] as const)("decides whether a trigger handles %s", (_case, names, event, expected) => {
    expect(handles({ names }, event)).toBe(expected);
  });
});

describe("onTrigger", () => {
  const contextOf = (event: RunContext["event"]) =>
    ({
      event,
      app: { appId: "app-1" },
      learnSecrets: async () => {},
      effects: { isOwn: async () => false },
    }) as unknown as RunContext;

  it("runs only for its own events", async () => {
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

describe("onTrigger's options", () => {
  const shop = events.messageSent({ id: "1", text: "A refund!", sender: "ann", guid: "support-1" });

  it("choose events, and log at DEBUG which condition an event does not fit, without its text", async () => {
    const runs: string[] = [];
    const where = { group: "support-*", text: { words: ["refund"] } };
    const refund = onTrigger(
      "message_sent",
      { where },
      async ({ event }) => void runs.push(event.message.id),
    );
    const world = createAttemptWorld({ refund });

    await world.attempt(shop);
    await world.attempt(events.messageSent({ id: "2", text: "private words", guid: "support-1" }));
    await world.attempt(events.messageSent({ id: "3", text: "A refund!", guid: "lobby" }));

    expect(runs).toEqual(["1"]);
    const misfits = world.details.filter(({ fields }) => "condition" in fields);
    expect(misfits).toEqual([
      {
        level: "debug",
        message: "an event does not fit what a trigger asks for",
        fields: {
          appId: "app-1",
          trigger: "message_sent",
          deliveryKey: "app-1|message_sent|2",
          queueMessageId: "m-1",
          attempt: 1,
          step: "message_sent refund",
          condition: "text",
          wanted: { words: ["refund"] },
        },
      },
      expect.objectContaining({
        fields: expect.objectContaining({ condition: "group", wanted: "support-*" }),
      }),
    ]);
    expect(world.counted).toEqual([]);
  });

  it("skip this system's messages unless from is anybody, and skip nothing for *", async () => {
    const runs: string[] = [];
    const run = (name: string) => async () => void runs.push(name);
    const spoken = { sender: "support", receiverType: "user", receiver: "ann" };
    const { metadata } = await createTestGuard("app-1").mark("an effect", spoken);
    const world = createAttemptWorld({
      people: onTrigger("message_sent", run("people")),
      anybody: onTrigger("message_sent", { where: { from: "anybody" } }, run("anybody")),
      all: onTrigger("*", run("all")),
      allOfPeople: onTrigger(["*", "message_sent"], { where: { from: "people" } }, run("all of people")),
    });

    await world.attempt(events.messageSent({ sender: "support", receiver: "ann", metadata }));

    expect(runs).toEqual(["anybody", "all"]);
  });

  it.each([
    ["1h", 3_600_000, []],
    ["1h", 3_600_001, ["too-old"]],
    [59_999, 60_000, ["too-old"]],
    [undefined, 1e12, []],
  ] as const)(
    "pass over an event older than %s, unless it does not fit the conditions: %d ms",
    async (maxAge, ageMs, expected) => {
      const trigger = onTrigger("message_sent", { where: { sender: "ann" }, maxAge }, async () => {});
      const world = createAttemptWorld({ trigger });
      world.pass(ageMs);

      for (const sender of ["ann", "bela"]) {
        await world.attempt(events.messageSent({ id: sender, sender, sentAt: startMs / 1000 }));
      }

      const passedOver = world.counted.filter(([name]) => name === "EventPassedOver");
      expect(passedOver.map(([, of]) => Object(of).reason)).toEqual(expected);
    },
  );

  it("are refused when the trigger is declared", () => {
    const handle = async () => {};

    expect(() => onTrigger("message_sent", { maxAge: "1 hour" as "1h" }, handle)).toThrow(RangeError);
    for (const maxAge of [0, -1, Number.NaN]) {
      expect(() => onTrigger("message_sent", { maxAge }, handle)).toThrow(RangeError);
    }
    expect(() => onTrigger("message_sent", { where: { text: { pattern: "(" } } }, handle)).toThrow();
    // @ts-expect-error There is no such condition.
    expect(() => onTrigger("message_sent", { where: { sendr: "ann" } }, handle)).toThrow('"sendr"');
  });

  it("allow only conditions that all of the events can have", () => {
    const handle = async () => {};
    const names = ["message_sent", "group_member_joined"] as const;

    expect(onTrigger(names, { where: { group: "a" } }, handle).names).toEqual(names);
    // @ts-expect-error Joins have no sender.
    expect(onTrigger(names, { where: { sender: "ann" } }, handle).names).toEqual(names);
    // @ts-expect-error Events may lack texts.
    expect(onTrigger("*", { where: { text: { words: ["a"] } } }, handle).names).toEqual(["*"]);
    // @ts-expect-error There is no such state.
    expect(onTrigger("message_sent", { where: { moderation: "good" } }, handle).names).toHaveLength(1);
  });

  it("need neither secret nor table for an event that fits no conditions", async () => {
    const refused = () => Promise.reject(new Error("asked"));
    const guard = { ...createTestGuard("app-1"), isOwn: refused };
    const world = createAttemptWorld(
      {
        a: onTrigger("message_sent", { where: { sender: "bela" } }, async ({ effects }) => {
          await effects.once("a", refused);
        }),
      },
      {
        connectionOf: refused,
        loopGuardOf: () => guard,
        ledger: { begin: refused, finish: refused, release: refused, readById: refused },
      },
    );

    expect(await world.attempt(shop)).toEqual({ kind: "done" });
  });

  it("wait if the author of a message cannot be determined", async () => {
    const cause = new GuardKeyError("x", new Error("a socket"));
    const guard = { ...createTestGuard("app-1"), isOwn: () => Promise.reject(cause) };
    const world = createAttemptWorld(
      { a: onTrigger("message_sent", async () => {}) },
      { loopGuardOf: () => guard },
    );

    expect(await world.attempt(shop)).toMatchObject({ kind: "wait", progress: { tries: {} } });
  });
});

describe("isWanted", () => {
  it.each([
    ["call_missed", ["call_missed"], true],
    ["call_missed", ["*"], true],
    ["call_missed", ["call_summary", "message_sent"], false],
  ] as const)("returns whether a trigger handles %s: %s", (name, names, expected) => {
    expect(isWanted([{ names: ["message_edited"] }, { names }], name)).toBe(expected);
  });

  it("returns false without triggers", () => {
    expect(isWanted([], "call_missed")).toBe(false);
  });
});
