import { shareCopy } from "./project-copy.ts";

/** The line of `functions/own/fates.ts` where its error is made. */
export const brokenLine = 12;

const fates = `import { onTrigger } from "../../lib/handle/on-trigger.ts";
import { PermanentError } from "../../lib/base/errors.ts";

/** Asks for a price that does not exist. */
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

/** Refuses permanently. */
export const refuses = onTrigger("message_sent", { where: { text: { words: ["refuse"] } } }, async () => {
  throw new PermanentError("It can never be done.");
});

/** Looks up a user, without an effect. */
export const looks = onTrigger("message_sent", async ({ chat, event }) => {
  await chat.users.get(event.message.sender);
});

/** Would greet if it were turned on. */
export const sleeps = onTrigger("message_sent", async () => {});
`;

/** Copies the project with triggers of all outcomes: `breaks`, `refuses`, `looks`, and `sleeps` (off). */
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
