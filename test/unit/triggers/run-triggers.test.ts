import { describe, expect, it } from "vitest";
import type { EffectsStore, JsonValue } from "../../../lib/effects/effects-store.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { createFinishedTriggers } from "../../../lib/triggers/finished-triggers.ts";
import { onTrigger, type Trigger, type TriggerContext } from "../../../lib/triggers/on-trigger.ts";
import { runTriggers, TriggersFailedError } from "../../../lib/triggers/run-triggers.ts";
import { derivedEvents } from "../../helpers/events/derived-events.ts";
import { events } from "../../helpers/events/events.ts";

/** A table in memory that counts what is asked of it. */
function createStore() {
  const done = new Map<string, JsonValue>();
  const asked: string[] = [];
  const store: EffectsStore = {
    once: async <T extends JsonValue>(key: string, work: () => Promise<T>) => {
      asked.push(key);
      if (!done.has(key)) done.set(key, await work());
      return done.get(key) as T;
    },
  };
  return { store, asked };
}

function eventOf(body: object) {
  const parsed = parseEvent(body);
  if (!parsed.ok) throw new Error("no event");
  return parsed.event;
}

const contextOf = (event: TriggerContext["event"]) => async () => ({ event }) as TriggerContext;

function run(
  table: Record<string, Trigger>,
  body: object,
  { attempt = 1, store = createStore().store } = {},
) {
  const event = "kind" in body ? (body as ReturnType<typeof derivedEvents.callMissed>) : eventOf(body);
  return runTriggers(table, event, {
    contextOf: contextOf(event),
    finished: createFinishedTriggers({ store, deliveryKey: "delivery", attempt }),
  });
}

describe("runTriggers", () => {
  it("runs all that handle the event, in the order of the table, the wildcard in its place", async () => {
    const ran: string[] = [];
    const noting = (...names: Parameters<typeof onTrigger>[0][]) =>
      onTrigger(names.flat() as ["*"], async ({ event }) => void ran.push(`${names}: ${event.trigger}`));
    const table = {
      first: noting("message_sent"),
      second: noting("*"),
      other: noting("call_missed"),
      third: noting("message_edited", "message_sent"),
    };

    await run(table, events.messageSent());
    await run(table, derivedEvents.callMissed());

    expect(ran).toEqual([
      "message_sent: message_sent",
      "*: message_sent",
      "message_edited,message_sent: message_sent",
      "*: call_missed",
      "call_missed: call_missed",
    ]);
  });

  it("hands an event of an unknown name to the wildcard alone", async () => {
    const ran: string[] = [];
    const table = {
      all: onTrigger("*", async ({ event }) => void ran.push(`${event.kind} ${event.trigger}`)),
      sent: onTrigger("message_sent", async () => void ran.push("message_sent")),
    };

    await run(table, { trigger: "message_new", data: {} });

    expect(ran).toEqual(["unknown message_new"]);
  });

  it.each(["call_missed", "call_summary"] as const)(
    "hands what comes from outside under the name %s, which only this system gives, to the wildcard alone",
    async (name) => {
      const ran: string[] = [];
      const table = {
        all: onTrigger("*", async ({ event }) => void ran.push(`${event.kind} ${event.trigger}`)),
        derived: onTrigger(name, async () => void ran.push(name)),
      };

      await run(table, { trigger: name, data: {} });

      expect(ran).toEqual([`unknown ${name}`]);
    },
  );

  it("goes on after a failure, names all that failed, and repeats only those", async () => {
    const { store } = createStore();
    const ran: string[] = [];
    let isBroken = true;
    const table = {
      before: onTrigger("message_sent", async () => void ran.push("before")),
      broken: onTrigger("message_sent", async () => {
        ran.push("broken");
        if (isBroken) throw new Error("It is broken.");
      }),
      after: onTrigger("message_sent", async () => void ran.push("after")),
    };

    const first = run(table, events.messageSent(), { store });
    await expect(first).rejects.toThrow(TriggersFailedError);
    await expect(first).rejects.toThrow("Of the triggers for message_sent, these failed: broken.");
    await expect(run(table, events.messageSent(), { store, attempt: 2 })).rejects.toThrow("broken");
    isBroken = false;
    await run(table, events.messageSent(), { store, attempt: 3 });
    await run(table, events.messageSent(), { store, attempt: 4 });

    expect(ran).toEqual(["before", "broken", "after", "broken", "broken"]);
  });

  it("asks nothing of the table while nothing fails, and never for a trigger that does not act", async () => {
    const { store, asked } = createStore();
    const table = {
      sent: onTrigger("message_sent", async () => undefined),
      edited: onTrigger("message_edited", async () => undefined),
    };

    await run(table, events.messageSent(), { store });
    expect(asked).toEqual([]);
    await run(table, events.groupCreated(), { store, attempt: 2 });
    expect(asked).toEqual([]);
  });
});
