import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { sendText } from "../../../lib/effects/send-text.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runAtEveryCrash } from "../../../local/testing/run-at-every-crash.ts";

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

describe("runAtEveryCrash", () => {
  it("does each step once wherever a process dies", { timeout: 600_000 }, async () => {
    const runs = await runAtEveryCrash(ask, events.messageSent(), { flows: [escalation] });

    const seen = runs.map(({ crash, sent, started, flows }) => [
      crash,
      started.length,
      sent.map(({ to }) => to),
      flows[0]?.result,
    ]);
    expect(runs.length).toBeGreaterThan(60);
    expect(runs.some(({ crash }) => crash === "after lambda.CheckpointDurableExecution")).toBe(true);
    expect(seen).toEqual(runs.map(({ crash }) => [crash, 1, ["ann", "bob"], "escalated"]));
  });

  it("does each step once wherever the process dies, with an answer that comes meanwhile", {
    timeout: 600_000,
  }, async () => {
    const options = { later: [{ after: "5min", event: answer }] } as const;

    const runs = await runAtEveryCrash(escalation, { uid: "ann" }, options);

    const seen = runs.map(({ crash, sent, result }) => [crash, sent.map(({ to }) => to), result]);
    expect(runs.length).toBeGreaterThan(40);
    expect(seen).toEqual(runs.map(({ crash }) => [crash, ["ann"], "answered"]));
  });
});
