import { parseEvent } from "../../../lib/events/parse-event.ts";

/** Reads a body that is an event. */
export function eventOf(body: unknown) {
  const parsed = parseEvent(structuredClone(body));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.event;
}
