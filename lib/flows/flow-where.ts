import { isRecord } from "../json.ts";
import type { EventName } from "../triggers/app-event.ts";
import type { Conditions } from "../triggers/where.ts";

/** What a flow can wait for: events of the platform and derived ones, by name. */
export type FlowEventName = Exclude<EventName, "*">;

/** Takes conditions as they come from the table; what is none of them is told by `whyNot`. */
export function readConditions(where: unknown): Conditions {
  return isRecord(where) ? where : {};
}
