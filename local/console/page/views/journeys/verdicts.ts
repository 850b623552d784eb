import type { JourneyVerdict, Reception, TriggerRunView } from "../../../api/journeys.ts";
import type { Tone } from "../../parts/badge.tsx";

interface Shown {
  readonly word: string;
  readonly tone: Tone;
}

/** The most urgent first. */
export const verdictNames: readonly JourneyVerdict[] = [
  "failed",
  "waiting",
  "running",
  "done",
  "nothing",
  "unknown",
];

export const verdicts: Readonly<Record<JourneyVerdict, Shown>> = {
  failed: { word: "failed", tone: "bad" },
  waiting: { word: "waiting", tone: "waiting" },
  running: { word: "running", tone: "plain" },
  done: { word: "done", tone: "good" },
  nothing: { word: "nothing to do", tone: "quiet" },
  unknown: { word: "not known", tone: "quiet" },
};

export const runOutcomes: Readonly<Record<TriggerRunView["outcome"], Shown>> = {
  running: { word: "running", tone: "plain" },
  acted: { word: "acted", tone: "good" },
  already: { word: "done before", tone: "quiet" },
  heldBack: { word: "held back", tone: "quiet" },
  woke: { word: "woke a flow", tone: "good" },
  nothing: { word: "did nothing", tone: "quiet" },
  misfit: { word: "not matching", tone: "quiet" },
  passedOver: { word: "skipped", tone: "quiet" },
  off: { word: "off", tone: "quiet" },
  paused: { word: "paused", tone: "waiting" },
  beside: { word: "waits", tone: "waiting" },
  failed: { word: "failed", tone: "bad" },
  cut: { word: "interrupted", tone: "bad" },
};

export const receptions: Readonly<Record<Reception["outcome"], Shown>> = {
  stored: { word: "stored", tone: "good" },
  repeated: { word: "repeated", tone: "quiet" },
  quarantined: { word: "quarantined", tone: "bad" },
  refused: { word: "refused", tone: "bad" },
  answered: { word: "answered", tone: "quiet" },
};
