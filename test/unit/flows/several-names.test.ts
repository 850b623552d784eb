import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { sendText } from "../../../lib/effects/messages/send-text.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";
import { beginFlow, hear, messageFlow, startMs } from "./flow-world.ts";

const draft = z.object({ id: z.string() });
const names = ["message_reaction_added", "message_edited"] as const;

/** Two likes of the latest text publish it. */
const publish = defineFlow("publish", { input: draft, waitsFor: names }, async (flow, { id }) => {
  let likes = 0;
  while (likes < 2) {
    const next = await flow.waitFor(names, { where: { messageId: id }, within: { hours: 1 } });
    if (next === undefined) return "nothing";
    likes = next.trigger === "message_edited" ? 0 : likes + 1;
  }
  await flow.do(
    "publish",
    sendText({ receiver: "bob", receiverType: "user", onBehalfOf: "support", text: "out" }),
  );
  return "published";
});
const start = onTrigger("message_sent", async ({ event, effects }) => {
  await effects.start(publish, { id: event.message.id });
});
const like = (uid: string) => events.messageReactionAdded({ id: `like-${uid}`, uid, messageId: "7001" });
const sent = events.messageSent({ id: "7001", sender: "ann" });
const edited = events.messageEdited({ id: "7001", sender: "ann" });
const world = { flows: [publish], app: { users: [{ uid: "cara", name: "Cara" }] } };
const at = (...all: readonly [string, object][]) =>
  all.map(([after, event]) => ({ after: after as "1s", event }));

describe("a flow that waits for several names", () => {
  it.each([
    ["at one instant", ["1min", "1min", "1min"]],
    ["an hour apart", ["1min", "20min", "40min"]],
  ])("returns like, edit, like in order, %s", async (_when, [first = "", second = "", third = ""]) => {
    const later = at([first, like("bela")], [second, edited], [third, like("cara")]);
    const { flows } = await runTrigger(start, sent, { ...world, later });
    expect(flows).toMatchObject([{ state: "succeeded", result: "nothing" }]);
  });

  it("returns them in order after a pause of the flow or the app", async () => {
    for (const target of [{ kind: "flow", name: "publish" } as const, { kind: "app" } as const]) {
      const later = [
        { after: "30s", pause: target } as const,
        ...at(["1min", like("bela")], ["1min", edited], ["2min", like("cara")]),
        { after: "10min", resume: target } as const,
      ];
      const { flows } = await runTrigger(start, sent, { ...world, later });
      expect([target, flows]).toMatchObject([target, [{ result: "nothing" }]]);
    }
  });

  it("returns a like first that came before its message", async () => {
    const later = at(["1s", sent], ["1s", edited], ["2s", like("cara")]);
    const { flows } = await runTrigger(start, like("bela"), { ...world, later });
    expect(flows).toMatchObject([{ result: "nothing" }]);
    const quick = at(["1s", like("cara")], ["1s", sent]);
    const { flows: done } = await runTrigger(start, like("bela"), { ...world, later: quick });
    expect(done).toMatchObject([{ result: "published" }]);
  });

  it.each(["after wake", "before checkpoint", "after remember"] as const)(
    "returns each event once, with a crash %s",
    async (crash) => {
      const later = at(
        ["1min", like("bela")],
        ["1min", edited],
        ["1min", like("cara")],
        ["2min", like("bob")],
      );
      const { flows, sent: out } = await runTrigger(start, sent, { ...world, later, crash });
      expect([flows[0]?.result, out.length]).toEqual(["published", 1]);
    },
  );

  it("stores only the events that a way received with the way's end", async () => {
    const { world: flows, arn } = await beginFlow(messageFlow("ways", (flow) => flow.any([hear])));
    await flows.deliver(sent, { key: "the answer" });
    await flows.play(2);

    const stored = JSON.stringify(
      flows.store.history(arn, { IncludeExecutionData: "true" }).Events?.slice(1),
    );
    expect(flows.statusOf(arn).Status).toBe("SUCCEEDED");
    expect([stored.includes("the answer"), stored.includes("the cause")]).toEqual([true, false]);
  });

  it.each([
    ["2026-01-02T09:00:00.500Z", 33 * 60 + 1 / 60],
    ["2025-12-31T00:00:00Z", 0],
  ])("sleeps until %s", async (text, minutes) => {
    const sleeper = defineFlow("sleeper", z.object({}), async (flow) => {
      await flow.waitUntil(new Date(text));
      return (await flow.now()).toISOString();
    });
    const { world: flows, arn } = await beginFlow(sleeper, {}, 40 * 60);
    const passed = (Date.parse(flows.resultOf(arn)) - startMs) / 60_000;
    expect(passed).toBeCloseTo(minutes, 5);
  });

  it("returns the earlier one, although the later one was handled first", async () => {
    const { world: flows, arn } = await beginFlow(publish, { id: "7001" });
    await flows.deliver(like("bela"), { receivedAt: flows.now() + 30 });
    await flows.deliver(edited, { receivedAt: flows.now() + 10 });
    await flows.deliver(like("cara"), { receivedAt: flows.now() + 20 });
    await flows.play(120);

    expect(flows.resultOf(arn)).toBe("published");
  });

  it("returns the earlier one, although a cold receiver stored it 1.8 s later", async () => {
    const { world: flows, arn } = await beginFlow(publish, { id: "7001" });
    await flows.deliver(like("bela"));
    await flows.play(2);
    await flows.deliver(like("cara"), { receivedAt: flows.now() + 1 });
    const receivedAt = flows.now();
    await flows.play(2 + 1.8 / 60);
    await flows.deliver(edited, { receivedAt });
    await flows.play(120);

    expect(flows.resultOf(arn)).toBe("nothing");
  });
});
