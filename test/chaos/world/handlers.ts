import { PermanentError } from "../../../lib/base/errors.ts";
import { banMember } from "../../../lib/effects/members.ts";
import { onTrigger, type TriggerTable } from "../../../lib/handle/on-trigger.ts";
import type { Clock } from "../../../local/testing/simulated/clock.ts";
import type { Process } from "../../../local/testing/simulated/process.ts";

/** What a message's text makes its handler do instead of a reply. */
export const poisons = ["throw", "hang", "hang and act", "block", "exit", "eat memory"] as const;
export type Poison = (typeof poisons)[number];

/** The text of a message that gets no reply. */
export const idle = "nothing to say";

/** What the handlers did, stored outside of the processes. */
export interface Diary {
  /** When the handler began, by message id, in milliseconds since 1970. */
  readonly begun: Map<string, number[]>;
  /** How often the second trigger's work ran, and when last. */
  readonly audited: Map<string, number[]>;
  /** True once a fixed version of the handlers is deployed. */
  isMended: boolean;
}

/** The text of an answer to a message; the judge recognises it. */
export function answerTo(messageId: string): string {
  return `re: ${messageId}`;
}

/** A trigger that answers every message as `support`, or as its group's user. */
export function replyAs(name = "reply", userOf: (group: string) => string = () => "support") {
  return onTrigger("message_sent", { where: { from: "anybody" } }, async ({ event, effects }) => {
    const { id, receiver } = event.message;
    const text = name === "reply" ? answerTo(id) : `${name}: ${id}`;
    await effects.sendText(name, { receiver, receiverType: "group", text, onBehalfOf: userOf(receiver) });
  });
}

/**
 * The app of every world: one trigger looks something up on the platform, one answers in the conversation,
 * another records its messages.
 */
export function createTriggers(process: Process, clock: Clock, diary: Diary): TriggerTable {
  const note = (log: Map<string, number[]>, id: string) => log.set(id, [...(log.get(id) ?? []), clock.now()]);
  const sleep = (ms: number) => process.edge("sleep", () => clock.sleep(ms));

  return {
    look: onTrigger("message_sent", { where: { from: "anybody" } }, async ({ chat }) => {
      await chat.messages.list({ limit: 1 }).page();
    }),
    reply: onTrigger("message_sent", { where: { from: "anybody" } }, async ({ event, effects }) => {
      const { id, receiver, data } = event.message;
      note(diary.begun, id);
      if (data.text === idle) return;
      const tries = diary.begun.get(id)?.length ?? 0;
      await suffer(data.text ?? "");
      // A handler that decides differently at its second try does not act twice.
      const text = data.text === "fickle" ? `${answerTo(id)} (${tries})` : answerTo(id);
      const answer = () =>
        effects.sendText("reply", { receiver, receiverType: "group", text, onBehalfOf: "support" });
      if (data.text === "not awaited") return void answer();
      if (data.text === "twice at once") await Promise.all([answer(), answer()]);
      await answer();
      if (data.text === "answer, then throw" && !diary.isMended) throw new TypeError("A mistake of ours.");
    }),
    // As lib/behaviours/replies/create-auto-reply.ts answers.
    answer: onTrigger("message_sent", { where: { from: "anybody" } }, async ({ event, effects, log }) => {
      const { message, head } = event;
      if (message.data.text === idle) return;
      const { id, receiver } = message;
      const reply = { receiver, receiverType: "group", text: answerTo(id), onBehalfOf: "support" } as const;
      const answer = await effects.answer("reply", reply, message);
      if ("passedOver" in answer) throw new PermanentError(answer.passedOver);
      log.info("answered a message", { appId: head.appId, messageId: id, replyId: answer.id });
    }),
    // As shipped replies do, it ignores messages older than an hour.
    fresh: onTrigger(
      "message_sent",
      { where: { from: "anybody" }, maxAge: "1h" },
      async ({ event, effects }) => {
        const { id, receiver } = event.message;
        const reply = { receiver, receiverType: "group", text: answerTo(id), onBehalfOf: "support" } as const;
        await effects.sendText("reply", reply);
      },
    ),
    edited: onTrigger("message_edited", { where: { from: "anybody" } }, async ({ event, effects }) => {
      const { id, receiver = "" } = event.message;
      const reply = { receiver, receiverType: "group", text: answerTo(id), onBehalfOf: "support" } as const;
      await effects.sendText("reply", reply);
    }),
    ban: onTrigger("message_sent", { where: { from: "anybody" } }, async ({ event, effects }) => {
      const { id, receiver } = event.message;
      await effects.do("ban", banMember({ guid: receiver, uid: id }));
    }),
    audit: onTrigger("message_sent", { where: { from: "anybody" } }, async ({ event, effects }) => {
      const { id } = event.message;
      await effects.once("audit", async () => {
        note(diary.audited, id);
        return true;
      });
    }),
  };

  async function suffer(text: string): Promise<void> {
    switch (text) {
      case "throw":
        throw new TypeError("Cannot read properties of undefined (reading 'uid')");
      case "throw until mended":
        if (diary.isMended) return;
        throw new TypeError("A mistake of ours.");
      case "permanent":
        throw new PermanentError("This can never be handled.");
      case "hang":
        return new Promise(() => {});
      case "hang and act":
        return sleep(45_000);
      case "block":
        process.block();
        return sleep(1);
      case "exit":
        process.kill();
        return sleep(1);
      case "eat memory":
        await sleep(4_000);
        process.kill();
        return sleep(1);
    }
  }
}
