import type { ComponentChildren } from "preact";

export type Tone = "good" | "bad" | "waiting" | "quiet" | "plain";

export function Badge({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}
