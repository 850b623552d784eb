import { isRecord } from "../base/json.ts";
import type { EventName } from "../events/app-event.ts";
import type { Conditions } from "../events/conditions/where.ts";

/** The events that a flow can wait for, by name: those of the platform and derived ones. */
export type FlowEventName = Exclude<EventName, "*">;

/** Reads conditions from the table; `whyNot` reports invalid ones. */
export function readConditions(where: unknown): Conditions {
  return isRecord(where) ? where : {};
}
