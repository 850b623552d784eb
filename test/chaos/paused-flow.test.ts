import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { sendText } from "../../lib/effects/messages/send-text.ts";
import { defineFlow } from "../../lib/flows/define-flow.ts";
import { onTrigger } from "../../lib/handle/on-trigger.ts";
import { events } from "../../local/testing/events/events.ts";
import { runTrigger } from "../../local/testing/run-trigger.ts";
import { isNight } from "../helpers/by-day.ts";

const say = (receiver: string, text: string) =>
  sendText({ receiver, receiverType: "user", onBehalfOf: "support", text });
const withUid = z.object({ uid: z.string() });

const twoTips = defineFlow("two-tips", withUid, async (flow, { uid }) => {
  await flow.do("tip", say(uid, "Say hello."));
  await flow.wait({ hours: 1 });
  await flow.do("tip", say(uid, "Tell us what you need."));
});
const escalation = defineFlow(
  "escalation",
  { input: withUid, waitsFor: ["message_sent"] },
  async (flow, { uid }) => {
    const answer = await flow.waitFor("message_sent", {
      where: { sender: "bela" },
      within: { minutes: 10 },
    });
    await flow.do("tell", say("bob", answer === undefined ? `${uid} waits.` : `${uid} was answered.`));
  },
);
const welcome = onTrigger("message_sent", { where: { sender: "ann" } }, async ({ effects }) => {
  await effects.start(twoTips, { uid: "ann" });
});
const ask = onTrigger("message_sent", { where: { sender: "ann" } }, async ({ effects }) => {
  await effects.start(escalation, { uid: "ann" });
});

const flow = { kind: "flow", name: "two-tips" } as const;
const app = { kind: "app" } as const;
const question = events.messageSent();
const answer = events.messageSent({ id: "1002", sender: "bela", receiver: "ann" });
const other = events.messageSent({ id: "1001", sender: "carl" });
const later = { question: events.messageSent({ id: "1003" }) };
const minutes = (ms: number) => Math.floor(ms / 60_000);

describe("a flow that is paused", () => {
  it("stops before its next step, and continues after the pause with what was due meanwhile", async () => {
    const { sent, flows, tookMs } = await runTrigger(welcome, question, {
      flows: [twoTips],
      later: [
        { after: "30min", pause: flow },
        { after: "2h", resume: flow },
      ],
    });

    expect(flows).toMatchObject([{ state: "succeeded" }]);
    expect(sent.map(({ text }) => text)).toEqual(["Say hello.", "Tell us what you need."]);
    expect(minutes(tookMs)).toBe(120);
  });

  it.runIf(isNight)("begins nothing while it is paused, and later what was started meanwhile", async () => {
    const { sent, tookMs } = await runTrigger(welcome, other, {
      flows: [twoTips],
      later: [
        { after: "1min", pause: flow },
        { after: "2min", event: later.question },
        { after: "2h", resume: flow },
      ],
    });

    expect(sent.map(({ text }) => text)).toEqual(["Say hello.", "Tell us what you need."]);
    // An hour lies between the two.
    expect(minutes(tookMs)).toBe(180);
  });

  it("continues when its app's pause ends, and gets the events that waited in a lane meanwhile", async () => {
    const { sent, tookMs } = await runTrigger(ask, question, {
      flows: [escalation],
      later: [
        { after: "5min", pause: app },
        { after: "8min", event: answer },
        { after: "1h", resume: app },
      ],
    });

    expect(sent.map(({ text }) => text)).toEqual(["ann was answered."]);
    expect(minutes(tookMs)).toBe(62);
  });

  it.runIf(isNight)("gets no event that came after its timeout, even if both were in the pause", async () => {
    const { sent } = await runTrigger(ask, question, {
      flows: [escalation],
      later: [
        { after: "5min", pause: app },
        { after: "11min", event: answer },
        { after: "1h", resume: app },
      ],
    });

    expect(sent.map(({ text }) => text)).toEqual(["ann waits."]);
  });

  it.runIf(isNight)("is not dead-lettered for its time in a pause", async () => {
    let failures = 0;
    const { sent, flows } = await runTrigger(welcome, question, {
      flows: [twoTips],
      answer: (request) => {
        if (request.method !== "POST" || failures === 4) return undefined;
        failures += 1;
        return new Response("", { status: 401 });
      },
      later: [
        { after: "2s", pause: flow },
        { after: "25h", resume: flow },
      ],
    });

    expect(flows).toMatchObject([{ state: "succeeded" }]);
    expect(sent.length).toBe(2);
  });
});
