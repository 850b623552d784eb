import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { Where } from "../../../lib/events/conditions/where.ts";
import { reconcileWebhook } from "../../../lib/events/occurrence.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { AwsError } from "../../../local/cloud/aws-error.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";
import { eventOf } from "../../helpers/events/event-of.ts";
import { act, beginFlow, createFlowWorld, eventFacts, hear, messageFlow, startMs } from "./flow-world.ts";

const minuteMs = 60_000;

function asking(where?: Where<"message_sent">, name = "ask") {
  return messageFlow(name, async (flow) => {
    const event = await flow.waitFor("message_sent", { ...(where && { where }), within: { minutes: 10 } });
    return event?.message.data.text ?? "nobody";
  });
}

describe("an event for waiting flows", () => {
  it("wakes every flow that waits for it, each once, however often it is delivered", async () => {
    const world = createFlowWorld([asking()]);
    const arns = [await world.start("ask", {}), await world.start("ask", {})];
    await world.play(1);

    for (let count = 0; count < 3; count += 1) {
      await world.deliver(events.messageSent({ text: "here" }), { key: "one fact" });
    }
    await world.play(2);

    expect(arns.map((arn) => world.resultOf(arn))).toEqual(["here", "here"]);
  });

  it("logs which flows it woke, also for a flow that asks after it was handled", async () => {
    const late = messageFlow("late", async (flow) => {
      await flow.wait({ minutes: 5 });
      return (await hear(flow))?.message.data.text;
    });
    const world = createFlowWorld([asking({ sender: "ann" }), late]);
    const idOf = (arn: string) => world.statusOf(arn).DurableExecutionName;
    const [soon, other] = [await world.start("ask", {}), await world.start("late", {})];
    await world.play(1);
    const woken: string[] = [];
    const event = eventOf(events.messageSent({ text: "here", sender: "ann" }));
    const of = { ...eventFacts, occurrenceKey: async () => "one fact", receivedAt: world.now() };

    for (let count = 0; count < 2; count += 1) await world.waker.wake(event, of, (id) => void woken.push(id));
    await world.play(20);

    expect(woken).toEqual([idOf(soon)]);
    expect(world.lines).toContainEqual(
      expect.objectContaining({
        message: "woke a flow",
        fields: expect.objectContaining({
          deliveryKey: "one fact",
          step: "message_sent (flows)",
          flowId: idOf(other),
        }),
      }),
    );
  });

  it("is found by a flow that asks later, the oldest first, but never events before the flow", async () => {
    const flow = messageFlow("ask", async (flow) => {
      await flow.wait({ minutes: 5 });
      const first = await flow.waitFor("message_sent", { within: { minutes: 1 } });
      const second = await flow.waitFor("message_sent", { within: { minutes: 1 } });
      const third = await flow.waitFor("message_sent", { within: { minutes: 1 } });
      return [first, second, third].map((event) => event?.message.data.text ?? "nobody");
    });
    const world = createFlowWorld([flow]);
    const arn = await world.start("ask", {}, { causedBy: "the question" });
    await world.play(1);

    await world.deliver(events.messageSent({ text: "the question again" }), { key: "the question" });
    await world.deliver(events.messageSent({ text: "of yesterday" }), { receivedAt: startMs - minuteMs });
    await world.deliver(events.messageSent({ text: "second" }), { receivedAt: startMs + minuteMs + 2 });
    await world.deliver(events.messageSent({ text: "first" }), { receivedAt: startMs + minuteMs + 1 });
    await world.play(20);

    expect(world.resultOf(arn)).toEqual(["first", "second", "nobody"]);
  });

  it("and the end of the flow's wait have one outcome, whichever is first on the table", async () => {
    const seen = new Set<unknown>();
    // The event arrives between any two actions of the flow at its time-out.
    for (let point = 1; point <= 80; point += 2) {
      let points = 0;
      const world = createFlowWorld([asking()], {
        atPoint: async () => {
          points += 1;
          if (points === point) {
            await world.deliver(events.messageSent({ text: "here" }), { receivedAt: startMs + 9 * minuteMs });
          }
        },
      });
      const arn = await world.start("ask", {});
      await world.play(30);

      expect(world.statusOf(arn).Status).toBe("SUCCEEDED");
      seen.add(world.resultOf(arn));
      const left = world.flowsTable.items().map(({ waits }) => waits);
      expect(left.filter((waits) => String(waits).includes("waiting"))).toEqual([]);
    }

    expect([...seen].sort()).toEqual(["here", "nobody"]);
  });

  it("wakes the flow at the next attempt if the process crashed or lost the answer before", async () => {
    const { world, arn } = await beginFlow(asking());
    const complete = world.store.completeCallback;
    world.store.completeCallback = () => {
      throw new Error("No answer.");
    };
    await expect(world.deliver(events.messageSent({ text: "here" }), { key: "k" })).rejects.toThrow(
      "No answer.",
    );
    world.store.completeCallback = complete;

    await world.deliver(events.messageSent({ text: "another" }), { key: "other" });
    await world.deliver(events.messageSent({ text: "here" }), { key: "k" });
    await world.play(2);

    expect(world.resultOf(arn)).toBe("here");
  });
});

describe("a message from reconcile", () => {
  const says = (id: string, sender: string, at: string, webhook = reconcileWebhook) => {
    const sentAt = Date.parse(`2026-01-01T${at}:00Z`) / 1_000;
    return events.messageSent({ id, sender, guid: "support-1", sentAt }, { webhook });
  };
  const watch = defineFlow("watch", { input: z.object({}), waitsFor: ["message_sent"] }, async (flow) => {
    return (await hear(flow))?.message.id ?? "nobody";
  });
  const start = onTrigger("message_sent", { where: { sender: "ann" } }, async ({ effects }) => {
    await effects.start(watch, {});
  });

  it.each([
    ["10:40", "a flow began after it", "11:05", says("1", "ann", "11:05", "webhook-1"), "nobody"],
    ["11:06", "a flow began before it", "11:05", says("1", "ann", "11:05", "webhook-1"), "2"],
    ["10:45", "reconcile started the flow by an earlier message", "11:12", says("1", "ann", "10:40"), "2"],
    ["10:39", "reconcile started the flow by a later message", "11:12", says("1", "ann", "10:40"), "nobody"],
  ])("counts as received at its sending time, at %s: %s", async (at, _case, now, question, result) => {
    const later = [{ after: "7min", event: says("2", "bela", at) }] as const;
    const clock = new Date(`2026-01-01T${now}:00Z`);

    const { flows } = await runTrigger(start, question, { flows: [watch], clock, later });

    expect(flows).toMatchObject([{ result }]);
  });
});

describe("a wake-up that Lambda refuses as invalid", () => {
  const refuseFirst = () => {
    let wakes = 0;
    return () => {
      wakes += 1;
      if (wakes === 1) throw new AwsError("InvalidParameterValueException", "Invalid callback id.");
    };
  };

  it("is repeated with the event", async () => {
    const world = createFlowWorld([asking()], { atWake: refuseFirst() });
    const arn = await world.start("ask", {});
    await world.play(1);
    const deliver = async () => world.deliver(events.messageSent({ text: "here" }), { key: "one fact" });

    await expect(deliver()).rejects.toThrow("InvalidParameterValueException");
    await deliver();
    await world.play(2);

    expect(world.resultOf(arn)).toBe("here");
  });

  it("is repeated by a flow that asks after the event", async () => {
    const late = messageFlow("late", async (flow) => {
      await flow.wait({ minutes: 5 });
      return (await hear(flow))?.message.data.text;
    });
    const world = createFlowWorld([late], { atWake: refuseFirst() });
    const arn = await world.start("late", {});
    await world.play(1);
    await world.deliver(events.messageSent({ text: "here" }));
    await world.play(6);

    expect(world.resultOf(arn)).toBe("here");
  });

  it("closes the question of an ended flow a minute later", async () => {
    const world = createFlowWorld([asking()], { atWake: refuseFirst() });
    await world.start("ask", {});
    await world.play(2);

    await world.deliver(events.messageSent(), { receivedAt: world.now() - minuteMs });

    expect(world.flowsTable.items().filter(({ flow }) => String(flow).startsWith("wait "))).toEqual([]);
  });
});

describe("a question stores the events", () => {
  const roundsOf = (rounds: number, seconds: number) =>
    messageFlow("count", async (flow) => {
      for (let round = 0; round < rounds; round += 1) {
        if ((await hear(flow)) === undefined) return round;
        await flow.wait({ seconds });
        await flow.do(
          "count",
          act(() => world, `${round}`),
        );
      }
      return rounds;
    });
  let world: ReturnType<typeof createFlowWorld>;

  it("that it may find again, not all that the flow received", async () => {
    world = createFlowWorld([roundsOf(30, 1)]);
    await world.start("count", {});
    for (let round = 0; round < 20; round += 1) {
      await world.playUntil(world.now() + 3 * minuteMs);
      await world.deliver(events.messageSent({ id: `${round}` }));
    }
    await world.playUntil(world.now() + 3 * minuteMs);

    const copies = world.flowsTable.items().flatMap(({ knownKeys }) => (knownKeys ? [knownKeys] : []));
    expect(world.acts).toHaveLength(20);
    expect(copies).toEqual([["fact 21"], ["fact 21"]]);
  });

  it("that the platform may send again two minutes later", async () => {
    world = createFlowWorld([roundsOf(2, 90)]);
    const arn = await world.start("count", {});
    await world.play(1);
    const receivedAt = world.now();
    await world.deliver(events.messageSent(), { key: "one fact", receivedAt });
    await world.playUntil(receivedAt + 2 * minuteMs);
    await world.deliver(events.messageSent(), { key: "one fact", receivedAt: receivedAt + 40_000 });
    await world.play(20);

    expect(world.resultOf(arn)).toBe(1);
  });
});
