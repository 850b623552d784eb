import { messages } from "../chat/resources/messages.ts";
import { lazy } from "../lazy.ts";
import { effectTagOf } from "./automatic.ts";
import type { Effect, EffectTools, Steps } from "./effect.ts";
import { EffectBusyError, type EffectName } from "./effect-errors.ts";
import { conversationOfText, type TextMessage } from "./text-message.ts";

export interface SendOptions {
  /**
   * Also known again where a webhook carries no marks, so that `answer` never answers it; a read and a write of the table
   * more. Default: false.
   */
  readonly isRemembered?: boolean;
}

/**
 * Sends a text message, marked as automatic, and gives its id. Also when an earlier attempt got no answer or died: its
 * message is looked for by its mark for a minute, and only then sent again.
 */
export function sendText(
  message: TextMessage,
  { isRemembered = false }: SendOptions = {},
): Effect<{ id: string }> {
  return {
    kind: messages.send.id,
    inShadow: { id: "0" },
    stepsWith: (tools, ofEffect) => {
      const { prepare: mark, act, look } = textSteps(tools, ofEffect, message);
      const prepare = async (effect: EffectName) => {
        await mark();
        if (isRemembered) await remember(tools, effect, message);
        return undefined;
      };
      return { prepare, act, look };
    },
  };
}

interface TextSteps extends Steps<{ id: string }> {
  readonly prepare: () => Promise<undefined>;
}

/** The steps of sending one text. Each throws what the client or the guard throws. */
export function textSteps(
  { call, guard, scope: { deadlineMs, signal } }: EffectTools,
  ofEffect: string,
  { onBehalfOf: sender, text, metadata, receiverType, receiver }: TextMessage,
): TextSteps {
  // Its key may be out of reach: that shows before anything leaves.
  guard.warm();
  const mark = lazy(() => guard.mark(ofEffect, { sender, receiverType, receiver }));
  return {
    prepare: async () => {
      await mark();
      return undefined;
    },
    act: async () => {
      const marks = await mark();
      const { id } = await call(
        messages.send,
        {
          receiverType,
          receiver,
          category: "message",
          type: "text",
          data: { text, metadata: { ...metadata, ...marks.metadata } },
          tags: marks.tags,
        },
        // Without `alreadyDone` the client does not repeat what may have been carried out: it is too early to look.
        { onBehalfOf: sender, deadlineMs, signal },
      );
      return { id };
    },
    look: async () => {
      const query = { tags: [effectTagOf(ofEffect)], withTags: true, limit: 100 };
      const { items } = await call(messages.list, query, { deadlineMs, signal }).page();
      // Anybody can put the tag on a message, nobody else the mark.
      for (const item of items) if (await guard.isOf(ofEffect, item)) return { id: item.id };
      return undefined;
    },
  };
}

async function remember(
  { answers, appId, now }: EffectTools,
  effect: EffectName,
  message: TextMessage,
): Promise<void> {
  const page = await answers.open(appId, conversationOfText(message));
  const entered = await page.enter({ effectId: effect.id, sender: message.onBehalfOf, isAnswer: false });
  if (entered === "busy") throw new EffectBusyError(effect, now() + 1_000);
}
