import { parseJson } from "../../../lib/base/json.ts";
import { seenIn } from "../../../lib/events/conditions/seen.ts";
import { identify } from "../../../lib/events/identity.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import type { DeliveryFacts } from "./journey.ts";

/** Characters of a message's text in a list. */
const longestText = 300;

/** Reads a delivery's body as the deployed functions do. A body that is not an event yields few fields. */
export function readFacts(body: string, appId: string, trigger = ""): DeliveryFacts {
  const content = parseJson(body);
  const identity = identify(content, appId);
  const parsed = parseEvent(content, { appId });
  const seen = parsed.ok ? seenIn(parsed.event) : {};
  const actor = parsed.ok ? parsed.event.head.actor : undefined;
  const { group, receiver, messageId, text } = seen;
  return {
    appId,
    trigger: identity?.trigger ?? trigger,
    deliveryKey: identity?.key,
    messageId,
    sender: seen.sender ?? (typeof actor === "string" ? actor : undefined),
    receiver: group ?? receiver,
    conversation: parsed.ok ? (seen.conversation ?? parsed.event.head.conversation?.id) : undefined,
    text: text?.slice(0, longestText),
  };
}

/** What an event has of a condition. The log does not name it: it may be a message's text. */
export function foundFor(condition: string, body: unknown, appId: string): unknown {
  const parsed = parseEvent(body, { appId });
  const seen = new Map(Object.entries(parsed.ok ? seenIn(parsed.event) : {}));
  return seen.get(condition === "from" ? "sender" : condition);
}
