import type { Log } from "../base/log.ts";
import type { Perform } from "../effects/perform.ts";
import type { States } from "../effects/state/create-states.ts";
import type { FlowDefinition } from "./define-flow.ts";
import type { CallDurable } from "./durable-api.ts";
import type { FlowCancels } from "./flow-cancels.ts";
import type { Written } from "./flow-limits.ts";
import type { FlowMarks, KeptEvent } from "./flow-marks.ts";
import type { FlowQuestions } from "./flow-questions.ts";
import type { StepServices, StepTry } from "./flow-step.ts";
import type { FlowWaits } from "./flow-waits.ts";
import type { OpenWait } from "./wait-memory.ts";
import type { WakeServices } from "./wake-flows.ts";

export interface FlowRun {
  readonly id: string;
  /** Id of the first execution. */
  readonly identity?: string | undefined;
  readonly definition?: FlowDefinition | undefined;
  /** When Lambda began the execution. */
  readonly startedMs?: number;
  readonly written?: () => Written;
  readonly app: { readonly appId: string; readonly region: string | undefined };
  readonly log: Log;
  readonly steps: StepServices;
  readonly performFor: (of: StepTry) => Perform;
  /** @param effectName of the change */
  readonly statesFor: (of: StepTry, effectName?: string) => States;
  readonly marks: FlowMarks;
  readonly waits: FlowWaits;
  readonly questions: FlowQuestions;
  readonly cancels: FlowCancels;
  readonly callDurable: CallDurable;
  readonly isOwn: WakeServices["isOwn"];
}

export interface FlowPath {
  readonly name: string;
  /** Declared events. Default: any. */
  readonly waitsFor?: readonly string[];
  /** Events received since then count for the next question. */
  sinceMs: number;
  /** When the last event that was returned was received, plus the flow's own waits since. */
  heardMs?: number | undefined;
  /** A lower bound of the current time. */
  nowMs: number;
  known: readonly KnownEvent[];
  /** Set by `continueAs`, whose error a flow may catch. Shared by all ways. */
  readonly ended: { by?: Error };
  readonly uses: Map<string, number>;
  readonly asked: Map<string, AskedQuestion>;
  readonly asking: Set<string>;
  /** For cancellation: callbacks with the names of their ways. */
  readonly listening: Map<string, string>;
  /** The message that started the flow, and from when its events count. */
  readonly early: { readonly messageId: string; readonly sinceMs: number } | undefined;
}

export type KnownEvent = Pick<KeptEvent, "key" | "receivedAt">;

export function mayComeAgain(
  { sinceMs, known, early }: Pick<FlowPath, "sinceMs" | "known" | "early">,
  marginMs: number,
): readonly KnownEvent[] {
  const isEarly = early?.sinceMs === sinceMs;
  return known.filter(({ receivedAt }) => isEarly || receivedAt >= sinceMs - marginMs);
}

interface AskedQuestion extends Pick<OpenWait, "flowId" | "callbackId"> {
  readonly wayName: string;
}

/** A wait of the flow's own asks for later events. The delay of a step, as by a pause, does not. */
export function noteWaited(path: FlowPath, seconds: number): void {
  if (path.heardMs !== undefined) path.heardMs += seconds * 1000;
}

/** Returns from when events count after a `do`: those since the returned one may answer the next question. */
export function lookBackFrom({ heardMs = Number.POSITIVE_INFINITY }: FlowPath): number {
  return heardMs - disorderMs;
}

/** Lanes handle events of several conversations out of order. */
const disorderMs = 60_000;
