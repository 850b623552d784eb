import type { FlowState, FlowStep } from "../../../api/flows.ts";
import { Badge, type Tone } from "../../parts/texts.tsx";

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
