import type { DerivedEvent, DerivedTrigger } from "./call-event.ts";
import type { ChatEvent, EventOf, TriggerName } from "./chat-event.ts";
import { triggerNames } from "./identity-rules.ts";

/** Every event that a handler can receive: from the platform or derived. */
export type AppEvent = ChatEvent | DerivedEvent;

/** An event of the platform, a derived one, or `*` for every event, including unknown ones. */
export type EventName = TriggerName | DerivedTrigger | "*";

/** The event that a handler of this name receives. */
export type AppEventOf<Name extends EventName> = Name extends "*"
  ? AppEvent
  : Name extends TriggerName
    ? EventOf<Name>
    : Extract<DerivedEvent, { trigger: Name }>;

export function isEventName(name: unknown): name is EventName {
  return typeof name === "string" && (triggerNames().has(name) || otherNames.has(name));
}

export function listEventNames(): readonly string[] {
  return [...triggerNames(), ...otherNames];
}

const otherNames: ReadonlySet<string> = new Set<Exclude<EventName, TriggerName>>([
  "call_missed",
  "call_summary",
  "*",
]);
