import type { QueueRow } from "../../../api/queues.ts";
import { spanOf } from "../../parts/time.tsx";

export function toIn(atMs: number, nowMs: number): string {
  return atMs <= nowMs ? "now" : `in ${spanOf(atMs - nowMs)}`;
}

export function stateOf(
  { state, visibleAtMs }: Pick<QueueRow, "state" | "visibleAtMs">,
  nowMs: number,
): string {
  if (state === "visible" || visibleAtMs === undefined) return "waiting";
  const until = visibleAtMs <= nowMs ? "" : `, ${spanOf(visibleAtMs - nowMs)} at most`;
  return state === "inFlight" ? `in flight${until}` : `delayed, ${toIn(visibleAtMs, nowMs)}`;
}
