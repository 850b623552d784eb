import { shareCopy } from "./project-copy.ts";

/** The line of `functions/own/fates.ts` where its error is made. */
export const brokenLine = 12;

const fates = `import { onTrigger } from "../../lib/handle/on-trigger.ts";
import { PermanentError } from "../../lib/base/errors.ts";

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

/** Would greet, were it turned on. */
export const sleeps = onTrigger("message_sent", async () => {});
`;

/** Copies the project with triggers of all fates: \`breaks\`, \`refuses\`, \`looks\`, and \`sleeps\`, which is not turned on. */
export function copyJourneysProject(): Promise<string> {
  return shareCopy({
    "functions/own/fates.ts": fates,
    "functions/own/triggers.ts": `import type { TriggerTable } from "../../lib/handle/on-trigger.ts";
import { breaks, looks, refuses, sleeps } from "./fates.ts";

export const ownTriggers: TriggerTable = { breaks, looks, refuses, sleeps };
`,
    "config/triggers.yml": "local: auto-reply, welcome, escalate, forward, breaks, looks, refuses\n",
  });
}
