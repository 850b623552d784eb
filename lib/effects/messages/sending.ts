import * as z from "zod/mini";
import type { JsonValue } from "../../base/json-value.ts";
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

/** A text that a user of the app sends. */
export interface TextMessage extends SpokenMessage {
  readonly text: string;
  /** Stored with the message for programs. */
  readonly metadata?: Readonly<Record<string, JsonValue>>;
}

export function checkTextMessage(effect: string, message: TextMessage): void {
  checkInput(effect, textSchema(), message, "message");
}

const textSchema = lazy(() =>
  z.strictObject({
    receiver: z.string(),
    receiverType: z.enum(["user", "group"]),
    onBehalfOf: z.string(),
    text: z.string(),
    metadata: z.optional(z.looseObject({})),
  }),
);

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
type Send = (
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

/**
 * Sends a text message, marked as automatic, and returns its id. Once, as `sendMessage`. Errors: those of the
 * client.
 * @throws InvalidInputError if the message is invalid or an option is unknown
 */
export function sendText(message: TextMessage, options: SendOptions = {}): Effect<{ id: string }> {
  checkTextMessage("sendText", message);
  return sendingEffect("sendText", messages.send.id, message, options, textSender(message));
}

export function textSender({ text, metadata, receiverType, receiver }: TextMessage): Send {
  return (call, marks, options) => {
    const data = { text, metadata: { ...metadata, ...marks.metadata } };
    const message = { receiverType, receiver, category: "message", type: "text", data } as const;
    return call(messages.send, { ...message, tags: marks.tags }, options);
  };
}
