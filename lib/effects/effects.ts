import type { FamilyClient } from "../chat/operation.ts";
import type { messages } from "../chat/resources/messages.ts";
import { effectTagOf, marksOf } from "./automatic.ts";
import type { EffectsStore, JsonValue } from "./effects-store.ts";

/** What a trigger handler does to the world: each effect once, however often the event is delivered or retried. */
export interface Effects {
  /**
   * Does `work` once for this event and this name, and gives what it gave the first time.
   * If `work` fails or dies half-way it runs again on the next attempt: it must bear that.
   */
  once<T extends JsonValue>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * Sends a text message once for this event and this name, marked as automatic, and gives its id.
   * Also when an earlier attempt died after sending: the message is then found by its mark and not sent again.
   */
  sendText(name: string, message: TextMessage): Promise<{ id: string }>;
}

/** A text that a user of the app says. */
export interface TextMessage {
  /** uid or guid, as `receiverType` says. */
  readonly receiver: string;
  readonly receiverType: "user" | "group";
  readonly text: string;
  /** uid of the user who says it. */
  readonly onBehalfOf: string;
  /** Kept with the message for whoever reads it by program. */
  readonly metadata?: Readonly<Record<string, JsonValue>>;
}

export interface EffectsOptions {
  readonly store: EffectsStore;
  readonly messages: FamilyClient<typeof messages>;
  /** Equal for two deliveries of one event, and different for two triggers. */
  readonly key: string;
  readonly expiresAfterMs?: number | undefined;
  /** How often the queue has handed out the event, this time included. */
  readonly attempt: number;
  /** Unix milliseconds after which nothing is started: the function's time is then up. */
  readonly deadlineMs: number;
}

export function createEffects(options: EffectsOptions): Effects {
  const { store, messages, key, expiresAfterMs, attempt, deadlineMs } = options;
  const effectKeyOf = (name: string) => `${key} ${name}`;

  const find = async (effectKey: string) => {
    const { items } = await messages
      .list({ tags: [effectTagOf(effectKey)], limit: 1 }, { deadlineMs })
      .page();
    return items[0];
  };

  const send = async (effectKey: string, { onBehalfOf, text, metadata, ...receiver }: TextMessage) => {
    const isPerhapsSent = attempt > 1;
    const found = isPerhapsSent ? await find(effectKey) : undefined;
    if (found !== undefined) return found;
    const marks = marksOf(effectKey);
    return messages.send(
      {
        ...receiver,
        category: "message",
        type: "text",
        data: { text, metadata: { ...metadata, ...marks.metadata } },
        tags: marks.tags,
      },
      { onBehalfOf, deadlineMs, alreadyDone: () => find(effectKey) },
    );
  };

  return {
    once: (name, work) => store.once(effectKeyOf(name), work, expiresAfterMs),
    sendText: (name, message) => {
      const effectKey = effectKeyOf(name);
      return store.once(effectKey, async () => ({ id: (await send(effectKey, message)).id }), expiresAfterMs);
    },
  };
}
