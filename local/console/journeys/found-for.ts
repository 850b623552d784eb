import { seenIn } from "../../../lib/events/conditions/seen.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";

/** What an event has of a condition. The log does not name it: it may be a message's text. */
export function foundFor(condition: string, body: unknown, appId: string): unknown {
  const parsed = parseEvent(body, { appId });
  const seen = new Map(Object.entries(parsed.ok ? seenIn(parsed.event) : {}));
  return seen.get(condition === "from" ? "sender" : condition);
}
