import { shareCopy } from "./project-copy.ts";

/** The line of `functions/own/fates.ts` where its error is made. */
export const brokenLine = 13;

const fates = `import { onTrigger } from "../../lib/handle/on-trigger.ts";
import { PermanentError } from "../../lib/base/errors.ts";
import { listening } from "./flows.ts";

/** Asks for a price that nobody has. */
export const breaks = onTrigger(
  "message_sent",
  { where: { text: { words: ["break"] } } },
  async ({ event }) => {
    const prices: Record<string, { amount: number } | undefined> = {};
    const { text = "" } = event.message.data;
    const wanted = text.split(" ").at(-1) ?? "";
    const { amount } = prices[wanted] as { amount: number };
    if (amount === 0) throw new Error("free");
  },
);

/** Refuses for good. */
export const refuses = onTrigger("message_sent", { where: { text: { words: ["refuse"] } } }, async () => {
  throw new PermanentError("It can never be done.");
});

/** Looks at a user, and leaves it at that. */
export const looks = onTrigger("message_sent", async ({ chat, event }) => {
  await chat.users.get(event.message.sender);
});

/** Answers whoever writes so, itself included. */
export const echoes = onTrigger(
  "message_sent",
  { where: { from: "anybody", text: { words: ["echo"] } } },
  async ({ event, effects }) => {
    const { sender = "", receiver = "" } = event.message;
    const reply = { receiver: sender, receiverType: "user", onBehalfOf: receiver, text: "Echo!" } as const;
    await effects.answer("echo", reply, event.message);
  },
);

/** Begins to listen. */
export const listens = onTrigger(
  "message_sent",
  { where: { text: { words: ["listen"] } } },
  async ({ event, effects }) => void (await effects.start(listening, { uid: event.message.sender ?? "" })),
);

/** Would greet, were it turned on. */
export const sleeps = onTrigger("message_sent", async () => {});
`;

const flows = `import * as z from "zod/mini";
import { defineFlow } from "../../lib/flows/define-flow.ts";

/** Waits for what somebody says next. */
export const listening = defineFlow(
  "listening",
  { input: z.object({ uid: z.string() }), waitsFor: ["message_sent"] },
  async (flow, { uid }) => {
    const heard = await flow.waitFor("message_sent", {
      where: { sender: uid, text: { words: ["hello"] } },
      within: { hours: 1 },
    });
    return heard !== undefined;
  },
);

export const ownFlows = [listening];
`;

/** Copies the project with triggers of all fates: \`breaks\`, \`refuses\`, \`looks\`, and \`sleeps\`, which is not turned on. */
export function copyJourneysProject(): Promise<string> {
  return shareCopy({
    "functions/own/fates.ts": fates,
    "functions/own/flows.ts": flows,
    "functions/own/triggers.ts": `import type { TriggerTable } from "../../lib/handle/on-trigger.ts";
import { breaks, echoes, listens, looks, refuses, sleeps } from "./fates.ts";

export const ownTriggers: TriggerTable = { breaks, echoes, listens, looks, refuses, sleeps };
`,
    "config/triggers.yml":
      "local: auto-reply, welcome, escalate, forward, breaks, echoes, listens, looks, refuses\n",
  });
}
