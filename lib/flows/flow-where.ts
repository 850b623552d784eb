import type { AppEvent, EventName } from "../triggers/app-event.ts";

/** What a flow can wait for: events of the platform and derived ones, by name. */
export type FlowEventName = Exclude<EventName, "*">;

/** Which events of a name a flow waits for: plain data, as it is kept on the table. */
export type FlowWhere<_Name extends FlowEventName> = Readonly<Record<string, string>>;

/** Tells whether an event is one that a flow waits for. */
export function isAwaited(_event: AppEvent, _where: unknown): boolean {
  return true;
}
