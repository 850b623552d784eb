import {
  type AutomaticMarks,
  isMarkOf,
  type MarkedMessage,
  marksOf,
  marksOn,
  type Spoken,
  systemUser,
} from "./automatic.ts";
import type { GuardKeys } from "./guard-keys.ts";

/** A message whose sender is in question. */
export interface HeardMessage extends MarkedMessage {
  readonly sender?: string | undefined;
  readonly receiverType?: string | undefined;
  readonly receiver?: string | undefined;
}

/** Knows one app's own messages again. Throws as GuardKeys does, when a key is needed. */
export interface LoopGuard {
  /** Reads the key ahead of its use. Its failure shows when the key is used. */
  warm(): void;
  /** Makes the marks of the message that an effect sends. */
  mark(effectKey: string, spoken: Omit<Spoken, "appId">): Promise<AutomaticMarks>;
  /**
   * Tells whether no person wrote a message: the platform's own user, or this system, by a valid mark. Reads a key only
   * where something looks like a mark.
   */
  isOwn(message: HeardMessage): Promise<boolean>;
  /** Tells whether a message is the one that an effect sent. */
  isOf(effectKey: string, message: HeardMessage): Promise<boolean>;
}

export function createLoopGuard(keys: GuardKeys, appId: string): LoopGuard {
  const isMarked = async (message: HeardMessage, effectKey?: string): Promise<boolean> => {
    const { sender, receiverType, receiver } = message;
    if (sender === undefined || receiverType === undefined || receiver === undefined) return false;
    const spoken = { appId, sender, receiverType, receiver };
    const marks = marksOn(message);
    if (marks.length === 0) return false;
    const isMadeWith = (key: Uint8Array) => marks.some((mark) => isMarkOf(mark, spoken, key, effectKey));
    if (isMadeWith(await keys.current())) return true;
    // Forged or copied, mostly; but the key may have been changed.
    return isMadeWith(await keys.newest()) || (await keys.older()).some(isMadeWith);
  };

  return {
    warm: () => void keys.current().catch(() => undefined),
    mark: async (effectKey, spoken) => marksOf(effectKey, { appId, ...spoken }, await keys.current()),
    isOwn: async (message) => message.sender === systemUser || (await isMarked(message)),
    isOf: (effectKey, message) => isMarked(message, effectKey),
  };
}
