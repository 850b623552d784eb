import type { FlowState, FlowStep } from "../../../api/flows.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";

const tones: Readonly<Record<FlowState, Tone>> = {
  running: "waiting",
  succeeded: "good",
  failed: "bad",
  cancelled: "plain",
  "timed out": "bad",
};

export function StateBadge({ state, isWaiting }: { state: FlowState; isWaiting?: boolean }) {
  return <Badge tone={tones[state]}>{isWaiting === true ? "waiting" : state}</Badge>;
}

const stepTones: Readonly<Record<FlowStep["state"], Tone>> = {
  done: "good",
  running: "waiting",
  waiting: "waiting",
  failed: "bad",
  stopped: "plain",
};

export function StepBadge({ state }: { state: FlowStep["state"] }) {
  return <Badge tone={stepTones[state]}>{state}</Badge>;
}

/** `in 5 min`, `3 days ago` */
export function awayFrom(ms: number, nowMs: number): string {
  const span = Math.abs(ms - nowMs);
  const words = longSpanOf(span);
  if (span < 1_000) return "now";
  return ms > nowMs ? `in ${words}` : `${words} ago`;
}

export function longSpanOf(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  for (const [limit, unitMs, one] of units) {
    if (ms >= limit) continue;
    const count = Math.round(ms / unitMs);
    return `${count} ${one}${count === 1 || one !== "day" ? "" : "s"}`;
  }
  return `${Math.round(ms / (365 * dayMs))} years`;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const units: readonly (readonly [limitMs: number, unitMs: number, one: string])[] = [
  [99.5 * 1_000, 1_000, "s"],
  [99.5 * minuteMs, minuteMs, "min"],
  [47.5 * hourMs, hourMs, "h"],
  [700 * dayMs, dayMs, "day"],
];
