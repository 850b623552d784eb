import { isRecord } from "../base/json.ts";
import type { EventName } from "../events/app-event.ts";
import type { Conditions } from "../events/conditions/where.ts";

/** Events that a flow can wait for: the platform's and derived ones. */
export type FlowEventName = Exclude<EventName, "*">;

export function readConditions(where: unknown): Conditions {
  return isRecord(where) ? where : {};
}
