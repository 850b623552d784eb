import { countOf } from "../../base/count-of.ts";
import { triggerOf } from "../../effects/health/destinations.ts";
import { type OutcomeFields, outcomeFields } from "../../effects/outcomes.ts";
import type { ParkedLane } from "./lane-store.ts";
import { readOutageRoom } from "./outage-room.ts";

/** @param place counts from 0; `trigger` is set for a trigger lane */
export function parkedOutcome(
  { wakeAt, heldBy, head }: ParkedLane,
  {
    place,
    length,
    trigger,
  }: { readonly place: number; readonly length: number; readonly trigger: string | undefined },
): OutcomeFields {
  const outage = readOutageRoom(heldBy ?? "");
  if (heldBy !== undefined && outage === undefined)
    return outcomeFields("paused", { cause: trigger === undefined ? "Its app" : "Its trigger" });
  const { deaths = 0 } = head?.progress ?? {};
  const lane = trigger === undefined ? "its conversation" : `the trigger ${trigger}`;
  const cause = [
    `it is number ${place + 1} of ${length} of ${lane}`,
    ...(place === 0 && deaths > 0 ? [`it was begun ${countOf(deaths, "time")} and has not ended`] : []),
    ...(outage === undefined
      ? []
      : [`until ${outage.destination} ${triggerOf(outage.destination) === undefined ? "answers" : "works"}`]),
    ...(head?.progress.cause ? [head.progress.cause] : []),
  ].join("; ");
  return outcomeFields("waiting", {
    cause,
    untilMs: outage === undefined && wakeAt > 0 ? wakeAt : undefined,
  });
}
