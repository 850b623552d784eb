import type { Rows } from "./rows.ts";

export const flowStates = ["running", "succeeded", "failed", "cancelled", "timed out"] as const;

export type FlowState = (typeof flowStates)[number];

export interface FlowList extends Rows<FlowRow> {
  readonly counts: Readonly<Partial<Record<FlowState, number>>>;
  readonly flows: readonly string[];
}

export interface FlowRow {
  readonly id: string;
  readonly flow: string;
  readonly appId: string;
  readonly about: string;
  readonly state: FlowState;
  readonly startedAtMs: number;
  readonly endedAtMs?: number | undefined;
  readonly words: string;
  /** When it continues by itself, if known. */
  readonly dueAtMs?: number | undefined;
}

export interface FlowDetail extends FlowRow {
  readonly input: FlowValue;
  readonly result?: FlowValue | undefined;
  readonly error?: { readonly type: string; readonly message: string } | undefined;
  readonly place?: string | undefined;
  readonly restartedAs?: string | undefined;
  readonly causedBy?: string | undefined;
  readonly listensFor: readonly string[];
  readonly steps: readonly FlowStep[];
  readonly waits: readonly FlowWait[];
}

export interface FlowValue {
  readonly text: string;
  readonly bytes: number;
  readonly isCut: boolean;
  /** `GET /api/flows/<id>/values/<valueId>` returns the whole value. */
  readonly valueId: string;
}

export interface FlowStep {
  readonly id: string;
  readonly kind: "step" | "wait" | "event" | "cancel" | "ways" | "way";
  readonly name: string;
  readonly state: "done" | "running" | "waiting" | "failed" | "stopped";
  readonly words?: string | undefined;
  readonly startedAtMs: number;
  readonly endedAtMs?: number | undefined;
  readonly tries: readonly FlowTry[];
  readonly gave?: FlowValue | undefined;
  readonly inner: readonly FlowStep[];
}

export interface FlowTry {
  readonly startedAtMs: number;
  readonly endedAtMs?: number | undefined;
  readonly words: string;
  readonly isGood: boolean;
}

export interface FlowWait {
  /** Undefined for an invocation that will be retried. */
  readonly operationId?: string | undefined;
  readonly words: string;
  readonly untilMs?: number | undefined;
  readonly fire?: "let its time pass" | "try now" | undefined;
  readonly event?:
    | { readonly trigger: string; readonly where?: unknown; readonly conditions?: string }
    | undefined;
}

export interface FlowEventDraft {
  readonly entry: string;
  readonly body: unknown;
  /** The event could not be made to match these. */
  readonly unmet: readonly string[];
}

export interface FlowKind {
  readonly name: string;
  readonly waitsFor: readonly string[];
  readonly input: unknown;
}

export interface FlowKinds {
  readonly kinds: readonly FlowKind[];
}

export interface FlowCancelled {
  readonly outcome: "asked" | "stopped" | "over" | "unknown";
}
