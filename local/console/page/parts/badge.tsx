import type { ComponentChildren } from "preact";

export type Tone = "good" | "bad" | "waiting" | "quiet" | "plain";

/** A short word with a colour; the word alone tells, too. */
export function Badge({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}
