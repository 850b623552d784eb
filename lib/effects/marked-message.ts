import * as z from "zod/mini";
import { lazy } from "../base/lazy.ts";
import { checkInput } from "../chat/check-input.ts";
import { messages } from "../chat/resources/messages.ts";
import { type AutomaticMarks, effectTagOf, type Spoken } from "../events/marks/automatic.ts";
import type { EffectTools, Steps } from "./effect.ts";
import { EffectBusyError, type EffectName } from "./effect-errors.ts";
import { type RequestLimits, requestLimits } from "./request-limits.ts";
import { conversationOfText, type SpokenMessage } from "./text-message.ts";

/** How an automatic message is recognized later. */
export interface SendOptions {
  /**
   * Recognized also in webhooks without marks, so that `answer` never answers it. Costs one more read and
   * write of the table. Default: false.
   */
  readonly isRemembered?: boolean;
}

/** @throws InvalidInputError */
export function checkSendOptions(effect: string, options: SendOptions): void {
  checkInput(effect, sendOptions(), options, "options");
}

const sendOptions = lazy(() => z.strictObject({ isRemembered: z.optional(z.boolean()) }));

export interface MarkedSteps extends Steps<{ id: string }> {
  readonly prepare: () => Promise<undefined>;
}

/**
 * Returns the steps of sending one message that its marks identify: after an unclear attempt, it is searched
 * among the app's messages. Each step throws what the client or the guard throws.
 * @param send Sends the message with these marks. Without `alreadyDone` the client does not repeat a request
 * that may have been carried out: it is too early to look.
 */
export function markedSteps(
  { call, guard, scope }: EffectTools,
  ofEffect: string,
  spoken: Omit<Spoken, "appId">,
  send: (marks: AutomaticMarks, limits: RequestLimits) => Promise<{ id: string }>,
): MarkedSteps {
  // Its key may be unreachable: this fails before a request is sent.
  guard.warm();
  const mark = lazy(() => guard.mark(ofEffect, spoken));
  const limits = requestLimits(scope);
  return {
    prepare: async () => {
      await mark();
      return undefined;
    },
    act: async () => {
      const { id } = await send(await mark(), limits);
      return { id };
    },
    look: async () => {
      const query = { tags: [effectTagOf(ofEffect)], withTags: true, limit: 100 };
      const { items } = await call(messages.list, query, limits).page();
      // Any sender can set the tag, but not the mark.
      for (const item of items) if (await guard.isOf(ofEffect, item)) return { id: item.id };
      return undefined;
    },
  };
}

/** Adds to the steps of sending a message what its options ask for. */
export function stepsOfSending(
  tools: EffectTools,
  message: SpokenMessage,
  { prepare: mark, act, look }: MarkedSteps,
  { isRemembered = false }: SendOptions,
): Steps<{ id: string }> {
  const prepare = async (effect: EffectName) => {
    await mark();
    if (isRemembered) await remember(tools, effect, message);
    return undefined;
  };
  return { prepare, act, look };
}

async function remember(
  { answers, appId, now }: EffectTools,
  effect: EffectName,
  message: SpokenMessage,
): Promise<void> {
  const page = await answers.open(appId, conversationOfText(message));
  const entered = await page.enter({ effectId: effect.id, sender: message.onBehalfOf, isAnswer: false });
  if (entered === "busy") throw new EffectBusyError(effect, now() + 1_000);
}
