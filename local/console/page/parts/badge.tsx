import type { ComponentChildren } from "preact";
import type { JourneyVerdict, Judgement } from "../../api/journeys.ts";

export type Tone = "good" | "bad" | "waiting" | "quiet" | "plain";

export function Badge({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge is-${tone}`}>{children}</span>;
}

/** The most urgent first. */
export const verdicts: Readonly<Record<JourneyVerdict, { readonly word: string; readonly tone: Tone }>> = {
  failed: { word: "failed", tone: "bad" },
  waiting: { word: "waiting", tone: "waiting" },
  running: { word: "running", tone: "plain" },
  done: { word: "done", tone: "good" },
  nothing: { word: "nothing to do", tone: "quiet" },
  unknown: { word: "not known", tone: "quiet" },
};

export function VerdictBadge({ of: { verdict, title } }: { of: Omit<Judgement, "why"> }) {
  return <Badge tone={verdicts[verdict].tone}>{title}</Badge>;
}
