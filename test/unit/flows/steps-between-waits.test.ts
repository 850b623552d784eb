import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { members } from "../../../lib/chat/resources/members.ts";
import { sendText } from "../../../lib/effects/messages/send-text.ts";
import { defineState } from "../../../lib/effects/state/define-state.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import type { Flow } from "../../../lib/flows/flow.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runFlow } from "../../../local/testing/run-flow.ts";
import { act, createFlowWorld, hear, messageFlow, startMs } from "./flow-world.ts";

const names = ["message_sent", "message_reaction_added", "message_edited"] as const;
type Hearing = Flow<(typeof names)[number]>;

const say = (text: string) =>
  sendText({ receiver: "bob", receiverType: "user", onBehalfOf: "support", text });
const counter = defineState("count", z.number(), { per: "key", keepFor: "1d" });
const define = (run: (flow: Hearing) => Promise<unknown>) =>
  defineFlow("hears", { input: z.object({}), waitsFor: names }, run);
const within = { hours: 2 };
const where = { group: "lobby" };
const hearMessage = async (flow: Hearing) =>
  (await flow.waitFor("message_sent", { where, within }))?.message.id;

/** Runs a step after each message, until none comes. */
const hearing = (step: (flow: Hearing) => Promise<unknown>, next = hearMessage) =>
  define(async (flow) => {
    const heard: string[] = [];
    for (;;) {
      const id = await next(flow);
      if (id === undefined) return heard;
      heard.push(id);
      await step(flow);
    }
  });

const message = (id: string) => events.messageSent({ id, sender: "ann", guid: "lobby" });
const atOnce = ["1", "2", "3"].map((id) => ({ after: "1h", event: message(id) }) as const);
const resultOf = async (
  flow: ReturnType<typeof define>,
  later: NonNullable<Parameters<typeof runFlow>[2]>["later"],
) => (await runFlow(flow, {}, { ...(later && { later }) })).flows.at(-1)?.result;

describe("between two waits, an event is not lost", () => {
  it.each<[string, (flow: Hearing) => Promise<unknown>]>([
    ["do", (flow) => flow.do("say", say("heard"))],
    ["run", (flow) => flow.run("work", () => 1)],
    ["list", (flow) => flow.list("members", { limit: 1 }, members.list, "lobby").catch(() => [])],
    ["state.update", (flow) => flow.state(counter, "all").update((count = 0) => count + 1)],
    ["a short wait and do", (flow) => flow.wait({ seconds: 5 }).then(() => flow.do("say", say("heard")))],
    ["a do in ways", (flow) => flow.all([(way) => way.do("say", say("heard")), async () => 1])],
  ])("by %s", async (_, step) => {
    expect(await resultOf(hearing(step), atOnce)).toEqual(["1", "2", "3"]);
  });

  it("whose wait is a way", async () => {
    const next = (flow: Hearing) => flow.any([hearMessage]);

    expect(
      await resultOf(
        hearing((flow) => flow.do("say", say("heard")), next),
        atOnce,
      ),
    ).toEqual(["1", "2", "3"]);
  });

  it("of several names, a second apart", async () => {
    const like = (id: string) => events.messageReactionAdded({ id, uid: id, messageId: "7001" });
    const later = ["l1", "l2", "l3", "l4"].map(
      (id, index) => ({ after: `${60 + index}s`, event: like(id) }) as const,
    );
    const next = async (flow: Hearing) => {
      const of = { where: { messageId: "7001" }, within };
      return (await flow.waitFor(["message_reaction_added", "message_edited"], of))?.trigger;
    };

    const heard = await resultOf(
      hearing((flow) => flow.do("say", say("heard")), next),
      later,
    );

    expect(heard).toHaveLength(4);
  });

  it("during a pause of the flow", async () => {
    const pause = { kind: "flow", name: "hears" } as const;
    const later = [
      { after: "1min", pause },
      ...["1", "2", "3"].map((id, index) => ({ after: `${5 + 5 * index}min`, event: message(id) }) as const),
      { after: "16min", resume: pause },
    ] as const;

    expect(
      await resultOf(
        hearing((flow) => flow.do("say", say("heard"))),
        later,
      ),
    ).toEqual(["1", "2", "3"]);
  });

  it.each(["after POST /messages", "after checkpoint"] as const)("with a crash %s", async (crash) => {
    const { flows } = await runFlow(
      hearing((flow) => flow.do("say", say("heard"))),
      {},
      { later: atOnce, crash },
    );

    expect(flows[0]?.result).toEqual(["1", "2", "3"]);
  });

  it("by a do after `continueAs`", async () => {
    const input = z.object({ heard: z.array(z.string()) });
    const rounds = defineFlow("rounds", { input, waitsFor: names }, async (flow, { heard }) => {
      await flow.do("say", say("next"));
      const id = await hearMessage(flow as Hearing);
      return id === undefined ? heard : flow.continueAs({ heard: [...heard, id] });
    });

    const { flows } = await runFlow(rounds, { heard: [] }, { later: atOnce });

    expect(flows.at(-1)?.result).toEqual(["1", "2", "3"]);
  });

  it("that was received before the last one and brought after a do", async () => {
    const world = createFlowWorld([
      messageFlow("late", async (flow) => {
        const first = await hear(flow);
        await flow.do(
          "say",
          act(() => world, "say"),
        );
        return [first?.message.id, (await hear(flow))?.message.id];
      }),
    ]);
    const arn = await world.start("late", {});
    await world.play(5);
    await world.deliver(message("2"));
    await world.play(6);

    await world.deliver(message("1"), { receivedAt: startMs + 5 * 60_000 - 30_000 });
    await world.play(7);

    expect(world.resultOf(arn)).toEqual(["2", "1"]);
  });
});

describe("a question after a do ignores an event", () => {
  const day = { days: 1 };
  const answer = { after: "2d", event: message("9") } as const;

  it("from before the flow's first do", async () => {
    const pause = { kind: "flow", name: "hears" } as const;
    const asks = define(async (flow) => {
      await flow.wait({ minutes: 5 });
      await flow.do("ask", say("How are you?"));
      return (await flow.waitFor("message_sent", { where, within: { days: 3 } }))?.message.id;
    });
    const later = [
      { after: "1min", event: message("1") },
      { after: "2min", pause },
      { after: "6min", event: message("2") },
      { after: "9min", resume: pause },
      answer,
    ] as const;

    expect(await resultOf(asks, later)).toBe("9");
  });

  it.each<[string, (flow: Hearing) => Promise<unknown>]>([
    ["wait", (flow) => flow.wait(day)],
    ["waitFor in vain", (flow) => flow.waitFor("message_edited", { within: day })],
    ["wait in a way", (flow) => flow.any([(way) => way.wait(day)])],
  ])("from before a %s of a day", async (_, sleep) => {
    const asks = define(async (flow) => {
      const first = await hearMessage(flow);
      await flow.do("thank", say("Thanks."));
      await sleep(flow);
      await flow.do("ask", say("How are you?"));
      return [first, (await flow.waitFor("message_sent", { where, within: { days: 3 } }))?.message.id];
    });
    const later = [
      { after: "1h", event: message("1") },
      { after: "2h", event: message("2") },
      { after: "1470min", event: message("3") },
      answer,
    ] as const;

    expect(await resultOf(asks, later)).toEqual(["1", "9"]);
  });
});
