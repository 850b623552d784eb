import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { messages } from "../../../lib/chat/resources/messages.ts";
import { sendText } from "../../../lib/effects/messages/send-text.ts";
import { startFlow } from "../../../lib/effects/start-flow.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { derivedEvents } from "../../../local/testing/events/derived-events.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runFlow } from "../../../local/testing/run-flow.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";
import { letKitDecide } from "./kit-world.ts";

const say = (receiver: string, text: string) =>
  sendText({ receiver, receiverType: "user", onBehalfOf: "support", text });
const withUid = z.object({ uid: z.string() });

const escalation = defineFlow(
  "escalation",
  { input: withUid, waitsFor: ["message_sent"] },
  async (flow, { uid }) => {
    await flow.do("tell", say(uid, "Somebody will answer soon."));
    const answer = await flow.waitFor("message_sent", {
      where: { sender: "bela" },
      within: { minutes: 10 },
    });
    if (answer !== undefined) return "answered";
    await flow.do("escalate", say("bob", `${uid} waits.`));
    return "escalated";
  },
);

const ask = onTrigger("message_sent", { where: { sender: "ann" } }, async ({ event, effects }) => {
  await effects.start(escalation, { uid: event.message.sender });
});

const answer = events.messageSent({ id: "1002", sender: "bela", receiver: "ann" });

letKitDecide();

describe("a trigger that starts a flow", () => {
  it("runs the flow to its end if there is no answer", async () => {
    const { started, flows, sent, isHandled, tookMs } = await runTrigger(ask, events.messageSent(), {
      flows: [escalation],
    });

    expect(started).toMatchObject([{ name: "escalation", input: { uid: "ann" } }]);
    expect(flows).toMatchObject([{ name: "escalation", state: "succeeded", result: "escalated" }]);
    expect(sent.map(({ to }) => to)).toEqual(["ann", "bob"]);
    expect([isHandled, Math.floor(tookMs / 60_000)]).toEqual([true, 10]);
  });

  it("wakes the flow with a later event", async () => {
    const { flows, sent, tookMs } = await runTrigger(ask, events.messageSent(), {
      flows: [escalation],
      later: [{ after: "5min", event: answer }],
    });

    expect(flows).toMatchObject([{ result: "answered" }]);
    expect(sent.map(({ to }) => to)).toEqual(["ann"]);
    expect(Math.floor(tookMs / 60_000)).toBe(5);
  });

  it("starts one flow for one event, however often it is delivered", async () => {
    const { started, sent } = await runTrigger(ask, events.messageSent(), {
      flows: [escalation],
      deliveries: 3,
    });

    expect([started.length, sent.length]).toEqual([1, 2]);
  });

  it("names the remedy if the test does not pass the flow", async () => {
    await expect(runTrigger(ask, events.messageSent())).rejects.toThrow(
      'The flow "escalation" was started, and the test does not have it: give it in `flows`.',
    );
  });

  it("refuses two different events with the same occurrence key", async () => {
    const run = runTrigger(ask, events.messageSent(), {
      flows: [escalation],
      later: [{ after: "5min", event: events.messageSent({ text: "I am here." }) }],
    });

    await expect(run).rejects.toThrow("the same fact");
  });
});

describe("runFlow", () => {
  it("runs a single flow, and shows its steps", async () => {
    const { state, result, steps, sent } = await runFlow(escalation, { uid: "ann" });

    expect([state, result, sent.length]).toEqual(["succeeded", "escalated", 2]);
    expect(steps.filter(({ what }) => what === "StepSucceeded").map(({ name }) => name)).toEqual([
      "tell",
      "ask for message_sent",
      "outcome of message_sent",
      "escalate",
    ]);
  });

  it("reports why a flow failed", async () => {
    const broken = defineFlow("broken", withUid, async () => {
      throw new TypeError("a bug");
    });

    const { state, cause, counts } = await runFlow(broken, { uid: "ann" });

    expect([state, cause, counts.get("FlowFailed")]).toEqual(["failed", "a bug", 1]);
  });

  it("ends if a flow waits in vain, and reports it as running", async () => {
    const patient = defineFlow("patient", withUid, async (flow) => {
      await flow.cancelled;
      return "tidied up";
    });

    const { state } = await runFlow(patient, { uid: "ann" });
    const cancelled = await runFlow(patient, { uid: "ann" }, { later: [{ after: "1h", cancel: patient }] });

    expect(state).toBe("running");
    expect([cancelled.state, cancelled.result]).toEqual(["succeeded", "tidied up"]);
  });

  it("reports an endless story", async () => {
    const endless = defineFlow("endless", withUid, async (flow) => {
      for (;;) await flow.wait({ minutes: 1 });
    });

    const run = runFlow(endless, { uid: "ann" }, { mostTurns: 5 });

    await expect(run).rejects.toThrow('The story never ends: the flow "endless" went on 5 times');
  });

  it("only shows a flow's actions, in shadow", async () => {
    const { wouldHave, sent, state } = await runFlow(escalation, { uid: "ann" }, { shadow: true });

    expect(wouldHave.map(({ name }) => name)).toEqual(["tell", "escalate"]);
    expect([sent, state]).toEqual([[], "succeeded"]);
  });
});

describe("a story", () => {
  it("has the same result at each run", async () => {
    const play = () =>
      runTrigger(ask, events.messageSent(), { flows: [escalation], crash: "after checkpoint" });

    const [one, other] = [await play(), await play()];

    expect(one.edges).toEqual(other.edges);
    expect(one.log).toEqual(other.log);
    expect(one.crashed).toEqual(["after lambda.CheckpointDurableExecution"]);
  });

  it("puts later messages on the platform only at their time", async () => {
    const looking = defineFlow("looking", withUid, async (flow) => {
      const isThere = (name: string) =>
        flow.do(name, messages.get, "1002").then(
          () => true,
          () => false,
        );
      const before = await isThere("before");
      await flow.wait({ minutes: 10 });
      return [before, await isThere("after")];
    });

    const { result } = await runFlow(looking, { uid: "ann" }, { later: [{ after: "5min", event: answer }] });

    expect(result).toEqual([false, true]);
  });

  it("runs a flow that a flow starts, and a repeated delivery that comes later", async () => {
    const parent = defineFlow("parent", withUid, async (flow, input) => {
      await flow.do("child", startFlow(escalation, input));
    });
    const options = {
      flows: [escalation],
      later: [
        { after: "1min", event: answer },
        { after: "2min", event: answer },
      ],
    } as const;

    const { started, flows } = await runFlow(parent, { uid: "ann" }, options);

    expect(started.map(({ name }) => name)).toEqual(["parent", "escalation"]);
    expect(flows.map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);
    expect(flows[1]?.result).toBe("answered");
  });

  it("reports a flow that does not end its invocation", async () => {
    const stuck = defineFlow("stuck", withUid, () => new Promise(() => {}));

    await expect(runFlow(stuck, { uid: "ann" })).rejects.toThrow("does not let go of its invocation");
  });

  it("allows endless code of a flow 30 s, five times", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const endless = defineFlow("endless", withUid, (flow) =>
      flow.run("score", ({ signal }) => {
        signals.push(signal);
        return new Promise<void>(() => {});
      }),
    );

    const { state, cause, tookMs } = await runFlow(endless, { uid: "ann" });

    expect([state, cause]).toEqual(["failed", expect.stringContaining("did not end within 30 s")]);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, true, true, true]);
    expect(tookMs).toBeGreaterThan(5 * 30_000 + 200_000);
  });

  it("waits for code that takes real time", async () => {
    const slow = defineFlow("slow", withUid, (flow) => flow.run("read", () => setTimeout(50, "read")));

    const { result, tookMs } = await runFlow(slow, { uid: "ann" });

    expect(result).toBe("read");
    expect(tookMs).toBeLessThan(30_000);
  });

  it("refuses a derived event that comes later, and an input that does not fit", async () => {
    const call = derivedEvents.callMissed({ caller: "ann", callee: "bela" });

    const later = runFlow(escalation, { uid: "ann" }, { later: [{ after: "1min", event: call }] });
    const misfit = runFlow(escalation, { uid: 7 } as never);

    await expect(later).rejects.toThrow("A derived event cannot come later");
    await expect(misfit).rejects.toThrow('The input of flow "escalation" does not fit');
  });
});
