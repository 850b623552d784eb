import type { Log } from "../base/log.ts";
import type { Perform } from "../effects/perform.ts";
import type { CallDurable } from "./durable-api.ts";
import type { FlowCancels } from "./flow-cancels.ts";
import type { FlowMarks } from "./flow-marks.ts";
import type { FlowQuestions } from "./flow-questions.ts";
import type { StepServices, StepTry } from "./flow-step.ts";
import type { FlowWaits } from "./flow-waits.ts";
import type { OpenWait } from "./open-wait.ts";
import type { WakeServices } from "./wake-flows.ts";

/** What one flow runs on, in one invocation. */
export interface FlowRun {
  readonly id: string;
  readonly app: { readonly appId: string; readonly region: string | undefined };
  readonly log: Log;
  readonly steps: StepServices;
  /** Makes what does effects in one try of a step. */
  readonly performFor: (of: StepTry) => Perform;
  readonly marks: FlowMarks;
  readonly waits: FlowWaits;
  readonly questions: FlowQuestions;
  readonly cancels: FlowCancels;
  readonly callDurable: CallDurable;
  readonly isOwn: WakeServices["isOwn"];
}

/** What a flow has come to, on one of its ways. */
export interface FlowPath {
  /** Tells one way from another; empty for the flow itself. */
  readonly name: string;
  /** What the flow has declared to wait for. Default: anything. */
  readonly waitsFor?: readonly string[];
  /** Milliseconds since 1970: what was received since then counts for the next question. */
  sinceMs: number;
  /** Milliseconds since 1970: it is this late at least. */
  nowMs: number;
  /** Facts that the flow was given, or was started for. */
  knownKeys: string[];
  /** How often each name of a step was used. */
  readonly uses: Map<string, number>;
  /** Questions of all ways that nobody has looked after, by callback. */
  readonly asked: Map<string, AskedQuestion>;
  /** Ways, all together, that are between two questions and may ask for anything next. */
  readonly asking: Set<string>;
  /** The message that the flow was started for, and from when on events counted then. */
  readonly early: { readonly messageId: string; readonly sinceMs: number } | undefined;
}

/** A question that is open on the flows table. */
export interface AskedQuestion extends Pick<OpenWait, "flowId" | "callbackId"> {
  /** Of the way that asked. */
  readonly wayName: string;
}
