import type { DerivedEvent, DerivedTrigger } from "./call-event.ts";
import type { ChatEvent, EventOf, TriggerName } from "./chat-event.ts";
import { triggerNames } from "./trigger-names.ts";

/** Everything that a trigger handler can be given: what the platform tells, and what is derived from it. */
export type AppEvent = ChatEvent | DerivedEvent;

/** What a handler can ask for: an event of the platform, a derived one, or `*` for every event, unknown ones too. */
export type EventName = TriggerName | DerivedTrigger | "*";

/** The event that a handler of this name gets. */
export type AppEventOf<Name extends EventName> = Name extends "*"
  ? AppEvent
  : Name extends TriggerName
    ? EventOf<Name>
    : Extract<DerivedEvent, { trigger: Name }>;

/** Tells whether a handler can ask for this name. */
export function isEventName(name: unknown): name is EventName {
  return typeof name === "string" && (triggerNames().has(name) || otherNames.has(name));
}

/** Lists every name that a handler can ask for. */
export function listEventNames(): readonly string[] {
  return [...triggerNames(), ...otherNames];
}

const otherNames: ReadonlySet<string> = new Set<Exclude<EventName, TriggerName>>([
  "call_missed",
  "call_summary",
  "*",
]);
