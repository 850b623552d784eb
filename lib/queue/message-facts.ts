export interface MessageFacts {
  readonly appId: string;
  readonly trigger: string;
  /** Equal for all deliveries of one fact. */
  readonly deliveryKey: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/**
 * How long after receipt a message is handled, in milliseconds: 30 days. Effects are remembered for 35, so an
 * older message could repeat its effects.
 */
export const oldestMs = 30 * 24 * 60 * 60_000;

/** Reads a message, parsed from JSON; undefined if it is not of this system. */
export function factsOf(message: unknown): MessageFacts | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { appId, trigger, check, key, receivedAt } = Object.fromEntries(Object.entries(message));
  if (typeof appId !== "string" || typeof key !== "string" || typeof receivedAt !== "number")
    return undefined;
  return { appId, trigger: String(trigger ?? check), deliveryKey: key, receivedAt };
}
