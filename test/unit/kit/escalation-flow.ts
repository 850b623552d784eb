import * as z from "zod/mini";
import { sendText } from "../../../lib/effects/messages/sending.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";

export const say = (receiver: string, text: string) =>
  sendText({ receiver, receiverType: "user", onBehalfOf: "support", text });
export const withUid = z.object({ uid: z.string() });

export const escalation = defineFlow(
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

export const ask = onTrigger("message_sent", { where: { sender: "ann" } }, async ({ event, effects }) => {
  await effects.start(escalation, { uid: event.message.sender });
});

export const answer = events.messageSent({ id: "1002", sender: "bela", receiver: "ann" });
