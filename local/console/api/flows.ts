/** What a flow has come to, in the page's words. */
export type FlowState = "running" | "succeeded" | "failed" | "cancelled" | "timed out";

export const flowStates = ["running", "succeeded", "failed", "cancelled", "timed out"] as const;

export interface FlowList {
  readonly rows: readonly FlowRow[];
  /** What `before` has to be for the next rows; absent where there are none. */
  readonly next?: string;
  /** How many there are in each state, whatever is searched for. */
  readonly counts: Readonly<Record<FlowState, number>>;
  /** The names of all flows that ran, and of their apps. */
  readonly flows: readonly string[];
  readonly apps: readonly string[];
}

export interface FlowRow {
  readonly id: string;
  readonly flow: string;
  readonly appId: string;
  /** Its input, in a few words. */
  readonly about: string;
  readonly state: FlowState;
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
  /** What it waits for, or why it ended. */
  readonly words: string;
  /** When it goes on by itself; absent where it runs, or nobody knows. */
  readonly dueAtMs?: number;
}

export interface FlowDetail extends FlowRow {
  readonly input: FlowValue;
  readonly result?: FlowValue;
  readonly error?: { readonly type: string; readonly message: string };
  /** Where the error was made: files and lines of the source. */
  readonly place?: string;
  /** The fact that it was started for. */
  readonly causedBy?: string;
  readonly listensFor: readonly string[];
  readonly steps: readonly FlowStep[];
  /** What it waits for now; several where it goes several ways. */
  readonly waits: readonly FlowWait[];
  readonly invocations: readonly FlowInvocation[];
  readonly version: string;
}

/** A value, cut where it is long. */
export interface FlowValue {
  readonly text: string;
  readonly bytes: number;
  readonly isCut: boolean;
  /** Gives the whole of it: `GET /api/flows/<id>/values/<valueId>`. */
  readonly valueId: string;
}

export interface FlowStep {
  readonly id: string;
  readonly kind: "step" | "wait" | "event" | "cancel" | "ways" | "way";
  readonly name: string;
  readonly state: "done" | "running" | "waiting" | "failed" | "stopped";
  /** What it came to, in words, where its name and state do not say it. */
  readonly words?: string;
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
  /** One after the other. */
  readonly tries: readonly FlowTry[];
  readonly gave?: FlowValue;
  readonly inner: readonly FlowStep[];
}

export interface FlowTry {
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
  readonly words: string;
  readonly isGood: boolean;
}

export interface FlowWait {
  /** Absent for an invocation that is to be tried again. */
  readonly operationId?: string;
  /** The step that waits. */
  readonly stepId?: string;
  readonly words: string;
  readonly untilMs?: number;
  /** What a person can do about it. */
  readonly fire?: "let its time pass" | "try now";
  /** The event that it waits for; its conditions are known once the flow has written its question down. */
  readonly event?: { readonly trigger: string; readonly where?: unknown };
}

export interface FlowInvocation {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly requestId: string;
  readonly error?: string;
}

/** The event that would end a wait, made of a sample. */
export interface FlowEventDraft {
  /** Of the view Try. */
  readonly entry: string;
  readonly body: unknown;
  /** Conditions that could not be put into it. */
  readonly unmet: readonly string[];
}

/** A flow that can be started. */
export interface FlowKind {
  readonly name: string;
  readonly waitsFor: readonly string[];
  /** What its input may look like: the fields that it asks for. */
  readonly input: unknown;
}

export interface FlowKinds {
  readonly kinds: readonly FlowKind[];
}

export interface FlowCancelled {
  readonly outcome: "asked" | "stopped" | "over" | "unknown";
}
