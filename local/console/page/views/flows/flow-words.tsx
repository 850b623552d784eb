import type { FlowState, FlowStep } from "../../../api/flows.ts";
import { Badge, counted, type Tone } from "../../parts/texts.tsx";

const tones: Readonly<Record<FlowState | FlowStep["state"], Tone>> = {
  running: "waiting",
  waiting: "waiting",
  succeeded: "good",
  done: "good",
  failed: "bad",
  "timed out": "bad",
  cancelled: "plain",
  stopped: "plain",
};

/** Of a flow or a step. */
export function StateBadge({ state, isWaiting }: { state: keyof typeof tones; isWaiting?: boolean }) {
  return <Badge tone={tones[state]}>{isWaiting === true ? "waiting" : state}</Badge>;
}

/** `in 5 min`, `3 days ago` */
export function awayFrom(ms: number, nowMs: number): string {
  const span = Math.abs(ms - nowMs);
  const words = longSpanOf(span);
  if (span < 1_000) return "now";
  return ms > nowMs ? `in ${words}` : `${words} ago`;
}

export function longSpanOf(ms: number): string {
  for (const [limit, unitMs, unit] of units) if (ms < limit) return `${Math.round(ms / unitMs)} ${unit}`;
  const days = ms / dayMs;
  return days < 700 ? counted(Math.round(days), "day") : `${Math.round(days / 365)} years`;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const units: readonly (readonly [limitMs: number, unitMs: number, unit: string])[] = [
  [1_000, 1, "ms"],
  [99.5 * 1_000, 1_000, "s"],
  [99.5 * minuteMs, minuteMs, "min"],
  [47.5 * hourMs, hourMs, "h"],
];
