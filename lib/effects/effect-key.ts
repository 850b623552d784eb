import { joinFields } from "../events/identity.ts";

// The key of an effect names the trigger that asks for it and the fact that it is for. What the effect does
// may change between attempts, and the webhook may differ between deliveries: neither is part of the key.

export function triggerKey(of: {
  readonly appId: string;
  /** Equal for all deliveries of one fact, through any webhook. */
  readonly factKey: string;
  readonly triggerName: string;
}): string {
  return joinFields([of.appId, of.factKey, of.triggerName]);
}

export function effectKey(ofTrigger: string, effectName: string): string {
  return joinFields([ofTrigger, effectName]);
}
