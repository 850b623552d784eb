/** What a message of this system says of itself. */
export interface MessageFacts {
  readonly appId: string;
  readonly trigger: string;
  /** Equal for two deliveries of one fact. */
  readonly deliveryKey: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/**
 * How long after receipt a message is acted on, in milliseconds: 30 days. What was done is remembered for 35, so that an
 * older message could have its effects twice.
 */
export const oldestMs = 30 * 24 * 60 * 60_000;

/** Reads what a message, parsed from JSON, says of itself; undefined for what is no message of this system. */
export function factsOf(message: unknown): MessageFacts | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { appId, trigger, check, key, receivedAt } = Object.fromEntries(Object.entries(message));
  if (typeof appId !== "string" || typeof key !== "string" || typeof receivedAt !== "number")
    return undefined;
  return { appId, trigger: String(trigger ?? check), deliveryKey: key, receivedAt };
}
