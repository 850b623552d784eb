import { isRecord } from "../base/json.ts";
import type { EventName } from "../events/app-event.ts";
import type { Conditions } from "../events/conditions/where.ts";

/** What a flow can wait for: events of the platform and derived ones, by name. */
export type FlowEventName = Exclude<EventName, "*">;

/** Takes conditions as they come from the table; what is none of them is told by `whyNot`. */
export function readConditions(where: unknown): Conditions {
  return isRecord(where) ? where : {};
}
