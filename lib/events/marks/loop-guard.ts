import { isMarkOf, type MarkedMessage, marksOf, marksOn, type Spoken, systemUser } from "./automatic.ts";
import type { GuardKeys } from "./guard-keys.ts";

export interface HeardMessage extends MarkedMessage {
  readonly sender?: string | undefined;
  readonly receiverType?: string | undefined;
  readonly receiver?: string | undefined;
}

/** One app's. Throws the errors of GuardKeys if it needs a key. */
export type LoopGuard = ReturnType<typeof createLoopGuard>;

export function createLoopGuard(keys: GuardKeys, appId: string) {
  const isMarked = async (message: HeardMessage, effectKey?: string): Promise<boolean> => {
    const { sender, receiverType, receiver } = message;
    if (sender === undefined || receiverType === undefined || receiver === undefined) return false;
    const spoken = { appId, sender, receiverType, receiver };
    const marks = marksOn(message);
    if (marks.length === 0) return false;
    const isMadeWith = (key: Uint8Array) => marks.some((mark) => isMarkOf(mark, spoken, key, effectKey));
    if (isMadeWith(await keys.current())) return true;
    // Usually forged or copied, but the key may have changed.
    return isMadeWith(await keys.newest()) || (await keys.older()).some(isMadeWith);
  };

  return {
    /** Reads the key in advance; its first use throws an error. */
    warm: () => void keys.current().catch(() => undefined),
    mark: async (effectKey: string, spoken: Omit<Spoken, "appId">) =>
      marksOf(effectKey, { appId, ...spoken }, await keys.current()),
    /**
     * True for the platform's own user or a valid mark. Reads a key only for something in the form of a mark.
     */
    isOwn: async (message: HeardMessage) => message.sender === systemUser || (await isMarked(message)),
    isOf: (effectKey: string, message: HeardMessage) => isMarked(message, effectKey),
  };
}
