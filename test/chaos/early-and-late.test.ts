import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { sendText } from "../../lib/effects/messages/send-text.ts";
import { defineFlow } from "../../lib/flows/define-flow.ts";
import { onTrigger } from "../../lib/handle/on-trigger.ts";
import { events } from "../../local/testing/events/events.ts";
import { runTrigger } from "../../local/testing/run-trigger.ts";
import { firstByDay } from "../helpers/by-day.ts";

const say = (text: string) =>
  sendText({ receiver: "bob", receiverType: "user", onBehalfOf: "support", text });

/** Returns whether a message was approved by 👍 within ten minutes. */
const approval = defineFlow(
  "approval",
  { input: z.object({ id: z.string() }), waitsFor: ["message_reaction_added"] },
  async (flow, { id }) => {
    const yes = await flow.waitFor("message_reaction_added", {
      where: { messageId: id, reaction: "👍" },
      within: { minutes: 10 },
    });
    await flow.do("tell", say(yes === undefined ? "not approved" : `approved by ${yes.reaction.uid}`));
  },
);
const approve = onTrigger("message_sent", { where: { sender: "ann" } }, async ({ event, effects }) => {
  await effects.start(approval, { id: event.message.id });
});

/** Returns whether bela answered in the same conversation, within a day. */
const escalation = defineFlow(
  "escalation",
  { input: z.object({}), waitsFor: ["message_sent"] },
  async (flow) => {
    const answer = await flow.waitFor("message_sent", { where: { sender: "bela" }, within: { days: 1 } });
    await flow.do("tell", say(answer === undefined ? "nobody answered" : `answered: ${answer.message.id}`));
  },
);
const watch = onTrigger("message_sent", { where: { sender: "ann" } }, async ({ effects }) => {
  await effects.start(escalation, {});
});

const question = events.messageSent({ id: "1001", sender: "ann", receiver: "bela" });
const other = events.messageSent({ id: "1000", sender: "carl", receiver: "bela" });
const reaction = events.messageReactionAdded({ messageId: "1001", uid: "bela", reaction: "👍" });
const answer = events.messageSent({ id: "1002", sender: "bela", receiver: "ann" });
const elsewhere = events.messageSent({ id: "1003", sender: "bela", receiver: "carl" });

describe("a reaction that arrives before its message", () => {
  it("reaches the flow that the message starts, 40 s later", async () => {
    const { sent } = await runTrigger(approve, reaction, {
      flows: [approval],
      later: [{ after: "40s", event: question }],
    });

    expect(sent.map(({ text }) => text)).toEqual(["approved by bela"]);
  });

  it("reaches no flow that another message starts", async () => {
    const { sent } = await runTrigger(approve, reaction, {
      flows: [approval],
      later: [{ after: "1s", event: events.messageSent({ id: "1007", sender: "ann" }) }],
    });

    expect(sent.map(({ text }) => text)).toEqual(["not approved"]);
  });
});

describe("a flow that starts late because its trigger was paused", () => {
  const pause = { kind: "trigger", name: "the-trigger" } as const;

  const cases = [
    ["in the same conversation", answer, "1h", "answered: 1002"],
    ["in another conversation", elsewhere, "1h", "answered: 1003"],
    ["three days later", answer, "3d", "answered: 1002"],
  ] as const;
  it.each(firstByDay(cases))(
    "gets the events since the one that started it, %s",
    async (_where, event, end, text) => {
      const { sent } = await runTrigger(watch, other, {
        flows: [escalation],
        later: [
          { after: "1min", pause },
          { after: "2min", event: question },
          { after: "30min", event },
          { after: end, resume: pause },
        ],
      });

      expect(sent.map((one) => one.text)).toEqual([text]);
    },
  );

  it("does not get earlier events", async () => {
    const { sent } = await runTrigger(watch, other, {
      flows: [escalation],
      later: [
        { after: "1min", pause },
        { after: "2min", event: answer },
        { after: "3min", event: question },
        { after: "1h", resume: pause },
      ],
    });

    expect(sent.map(({ text }) => text)).toEqual(["nobody answered"]);
  });
});
