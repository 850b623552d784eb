import * as z from "zod/mini";
import { lazy } from "../../base/lazy.ts";
import { checkInput } from "../../chat/check-input.ts";
import { messages } from "../../chat/resources/messages.ts";
import { groupConversation, userConversation } from "../../events/conversation.ts";
import { type AutomaticMarks, effectTagOf } from "../../events/marks/automatic.ts";
import type { Effect, EffectTools } from "../effect.ts";
import { type RequestLimits, requestLimits } from "../effect-builders.ts";
import { EffectBusyError, type EffectName } from "../effect-errors.ts";

export interface SpokenMessage {
  /** A uid or guid, by `receiverType`. */
  readonly receiver: string;
  readonly receiverType: "user" | "group";
  /** uid of the sender. */
  readonly onBehalfOf: string;
}

/** The platform converts ids to lower case, then sorts them. */
export function conversationOfText({ onBehalfOf, receiver, receiverType }: SpokenMessage): string {
  const [from, to] = [onBehalfOf.toLowerCase(), receiver.toLowerCase()];
  return (receiverType === "group" ? groupConversation(to) : userConversation(from, to))?.id ?? to;
}

/** How the message is recognized later. */
export interface SendOptions {
  /**
   * Recognizes the message also in webhooks without marks, so that `answer` never answers it. One more read
   * and write. Default: false.
   */
  readonly isRemembered?: boolean;
}

const sendOptions = lazy(() => z.strictObject({ isRemembered: z.optional(z.boolean()) }));

/** Without `alreadyDone`, the client repeats no unclear request: it is too early to look for it. */
export type Send = (
  call: EffectTools["call"],
  marks: AutomaticMarks,
  options: RequestLimits & { readonly onBehalfOf: string },
) => Promise<{ id: string }>;

/** Looks for the marks after an unclear attempt. Steps throw what the client or the guard throws. */
export function markedSteps(
  { call, guard, limits: all }: EffectTools,
  ofEffect: string,
  { onBehalfOf, receiver, receiverType }: SpokenMessage,
  send: Send,
) {
  guard.warm();
  const mark = lazy(() => guard.mark(ofEffect, { sender: onBehalfOf, receiver, receiverType }));
  const limits = requestLimits(all);
  return {
    mark,
    act: async () => {
      const { id } = await send(call, await mark(), { onBehalfOf, ...limits });
      return { id };
    },
    look: async () => {
      const query = { tags: [effectTagOf(ofEffect)], withTags: true, limit: 100 };
      const { items } = await call(messages.list, query, limits).page();
      for (const item of items) if (await guard.isOf(ofEffect, item)) return { id: item.id };
      return undefined;
    },
  };
}

export function sendingEffect(
  name: string,
  kind: string,
  message: SpokenMessage,
  options: SendOptions,
  send: Send,
): Effect<{ id: string }> {
  checkInput(name, sendOptions(), options, "options");
  return {
    kind,
    inShadow: { id: "0" },
    stepsWith: (tools, ofEffect) => {
      const { mark, act, look } = markedSteps(tools, ofEffect, message, send);
      const prepare = async (effect: EffectName) => {
        await mark();
        if (options.isRemembered === true) await remember(tools, effect, message);
        return undefined;
      };
      return { prepare, act, look };
    },
  };
}

async function remember(
  { answers, appId, now }: EffectTools,
  effect: EffectName,
  message: SpokenMessage,
): Promise<void> {
  const page = await answers.open(appId, conversationOfText(message));
  const entered = await page.enter({ effectId: effect.id, sender: message.onBehalfOf });
  if (entered === "busy") throw new EffectBusyError(effect, now() + 1_000);
}
