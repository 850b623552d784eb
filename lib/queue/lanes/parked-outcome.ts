import { countOf } from "../../base/count-of.ts";
import { triggerOf } from "../../effects/health/breaker.ts";
import { type OutcomeFields, outcomeFields } from "../../effects/outcomes.ts";
import type { ParkedLane } from "./lane-store.ts";
import { readOutageRoom } from "./outage-room.ts";

/** The ticket of a dead process returns after this time: VisibilityTimeout in infrastructure/queues.yml. */
const returnedSeconds = 75;

interface ParkedPlace {
  /** Counts from 0. */
  readonly place: number;
  readonly length: number | undefined;
  /** Set for a trigger lane. */
  readonly trigger: string | undefined;
  readonly nowMs: number;
}

export function parkedOutcome(
  { wakeAt, heldBy, head: lastHead, turnEnded }: ParkedLane,
  { place, length, trigger, nowMs }: ParkedPlace,
): OutcomeFields {
  const outage = readOutageRoom(heldBy ?? "");
  if (heldBy !== undefined && outage === undefined)
    return outcomeFields("paused", { cause: trigger === undefined ? "Its app" : "Its trigger" });
  // After a turn, it is that of an event that was handled.
  const head = turnEnded === true ? undefined : lastHead;
  const { deaths = 0 } = head?.progress ?? {};
  const isTimed = outage === undefined && wakeAt > nowMs;
  const isBegun = outage === undefined && !isTimed;
  const next = isBegun ? `: if its process died, the next attempt begins within ${returnedSeconds} s` : "";
  const lane = trigger === undefined ? "its conversation" : `the trigger ${trigger}`;
  const cause = [
    `it is number ${place + 1}${length === undefined ? "" : ` of ${length}`} of ${lane}`,
    ...(deaths > 0 && (place === 0 || isBegun)
      ? [
          `${place === 0 ? "it" : "the first one"} was begun ${countOf(deaths, "time")} and has not ended${next}`,
        ]
      : []),
    ...(outage === undefined
      ? []
      : [`until ${outage.destination} ${triggerOf(outage.destination) === undefined ? "answers" : "works"}`]),
    ...(head?.progress.cause ? [head.progress.cause] : []),
  ].join("; ");
  return outcomeFields("waiting", { cause, untilMs: isTimed ? wakeAt : undefined });
}
