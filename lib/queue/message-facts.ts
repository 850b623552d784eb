import { isRecord } from "../base/json.ts";

export interface MessageFacts {
  readonly appId: string;
  readonly trigger: string;
  /** Equal for all deliveries of one occurrence. */
  readonly deliveryKey: string;
  readonly receivedAt: number;
}

/** Effects are remembered for 35 days: an older message could repeat them. */
export const maxAgeMs = 30 * 24 * 60 * 60_000;

/** @returns undefined for a message of another system */
export function factsOf(message: unknown): MessageFacts | undefined {
  if (!isRecord(message)) return undefined;
  const { appId, trigger, check, key, receivedAt } = message;
  if (typeof appId !== "string" || typeof key !== "string" || typeof receivedAt !== "number")
    return undefined;
  return { appId, trigger: String(trigger ?? check), deliveryKey: key, receivedAt };
}
