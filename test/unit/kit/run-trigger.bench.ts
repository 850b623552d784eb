import { expect, it } from "vitest";
import * as z from "zod/mini";
import { sendText } from "../../../lib/effects/messages/sending.ts";
import { defineFlow } from "../../../lib/flows/define-flow.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";

// How long one run of the test kit takes, warm: npx vitest bench --run test/unit/kit

const support = { receiverType: "user", onBehalfOf: "support" } as const;

const thanks = onTrigger("message_sent", async ({ event, effects }) => {
  await effects.sendText("thanks", { ...support, receiver: event.message.sender, text: "Thanks!" });
});

const escalation = defineFlow(
  "escalation",
  { input: z.object({}), waitsFor: ["message_sent"] },
  async (flow) => {
    const answer = await flow.waitFor("message_sent", { within: { minutes: 10 } });
    if (answer === undefined)
      await flow.do("escalate", sendText({ ...support, receiver: "bob", text: "Help!" }));
  },
);

const ask = onTrigger("message_sent", async ({ effects }) => {
  await effects.start(escalation, {});
});

it("takes so long for a trigger that sends a message", async () => {
  await measure(() => runTrigger(thanks, events.messageSent()));
});

it("takes so long with a flow that waits ten minutes and sends one", async () => {
  await measure(() => runTrigger(ask, events.messageSent(), { flows: [escalation] }));
});

async function measure(work: () => Promise<{ sent: readonly unknown[] }>) {
  const times: number[] = [];
  for (let run = 1; run <= 33; run += 1) {
    const begunAt = performance.now();
    const { sent } = await work();
    times.push(performance.now() - begunAt);
    expect(sent).toHaveLength(1);
  }
  const warm = times.slice(3).sort((one, other) => one - other);
  process.stdout.write(`median of 30: ${warm[15]?.toFixed(1)} ms, the slowest ${warm[29]?.toFixed(1)} ms\n`);
}
