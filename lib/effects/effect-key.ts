import { joinFields } from "../events/identity.ts";

// What makes an effect the same effect: who asks for it and for which fact. Everything that the effect does may change
// from one attempt to the next; none of it belongs here, nor does the webhook that brought the news.

/** Names what one trigger does about one fact. */
export function triggerKey(of: {
  readonly appId: string;
  /** Equal for two deliveries of one fact, whichever webhooks they came through. */
  readonly factKey: string;
  /** The trigger's name in the table of triggers. */
  readonly triggerName: string;
}): string {
  return joinFields([of.appId, of.factKey, of.triggerName]);
}

/** Names one effect of a trigger on a fact. */
export function effectKey(ofTrigger: string, effectName: string): string {
  return joinFields([ofTrigger, effectName]);
}
