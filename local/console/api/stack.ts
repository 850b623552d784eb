import type { CloudFaultSettings, CloudStrikes } from "../../cloud/faults/fault-settings.ts";
import type { FaultSettings } from "../../platform/faults/rules.ts";
import type { Level } from "../../platform/fidelity.ts";
import type { Rows } from "./rows.ts";

export interface StackFacts {
  readonly apps: readonly { readonly appId: string; readonly name: string; readonly region: string }[];
  /** Newest conversation, and the user who began it. */
  readonly newestConversation:
    | { readonly appId: string; readonly uid: string; readonly conversationId: string }
    | undefined;
  /** Absolute path of the project. */
  readonly folder: string;
  readonly functions: readonly string[];
  readonly addresses: { readonly platform: string; readonly functions: string };
}

export interface TroubleCounts {
  readonly journeys: number;
  readonly queues: number;
  readonly flows: number;
}

export interface ClockAnswer {
  readonly nowMs: number;
  readonly machineMs: number;
  readonly isFrozen: boolean;
  readonly nextAtMs: number | undefined;
}

export interface MovedAnswer {
  readonly clock: ClockAnswer;
  readonly isDone: boolean;
  /** Number of due times. */
  readonly steps: number;
  /** What is left of the move. */
  readonly leftMs: number;
  /** Items that wait for a time within it. */
  readonly leftItems: number;
}

export interface FaultsAnswer {
  readonly cloud: CloudFaultSettings;
  readonly cloudStrikes: CloudStrikes;
  readonly platform: FaultSettings;
  readonly platformStrikes: readonly { readonly matches: number; readonly faults: number }[];
  readonly isAnyOn: boolean;
  /** End of the last fault, by the local stack's clock. */
  readonly untilMs?: number | undefined;
}

export interface FidelityRow {
  readonly kind: string;
  readonly id: string;
  readonly level: Level;
  readonly source: string;
  readonly notes: readonly string[];
  readonly test: string | undefined;
}

export interface FidelityAnswer extends Rows<FidelityRow> {
  readonly kinds: readonly string[];
  readonly levels: readonly { readonly level: Level; readonly count: number }[];
}

/** Nothing is stored, and no custom service is called. */
export interface TriedText {
  readonly outcome: "approved" | "blocked" | "dropped" | "not judged";
  readonly rule: { readonly id: string; readonly name: string; readonly message: string } | undefined;
}

export interface ShownSecret {
  readonly name: string;
  readonly description: string | undefined;

  readonly isDeleted: boolean;
  /** Newest first. */
  readonly versions: readonly ShownVersion[];
}

export interface ShownVersion {
  readonly id: string;
  readonly stages: readonly string[];
  readonly createdAtMs: number;
  readonly fields: readonly { readonly name: string; readonly masked: string }[] | undefined;
  readonly masked: string | undefined;
}

interface AppContents {
  readonly users: number;
  readonly groups: number;
  readonly members: number;
  readonly conversations: number;
  readonly messages: number;
  readonly deliveries: number;
}

export interface SeedAnswer {
  readonly contents: AppContents;
  readonly load: LoadState;
}

export interface LoadState {
  readonly isRunning: boolean;
  readonly made: { readonly users: number; readonly messages: number };
  readonly wanted: { readonly users: number; readonly messages: number };
  /** Milliseconds until the end, or so far. */
  readonly tookMs: number;
  readonly error: string | undefined;
}

export interface ShownSnapshot {
  readonly name: string;
  /** By the machine's clock. */
  readonly savedAtMs: number;
  /** By the local stack's clock. */
  readonly worldMs: number;
  readonly bytes: number;
  readonly counts: { readonly messages: number; readonly queued: number; readonly running: number };
  /** False if another version saved it: it can only be removed. */
  readonly isCompatible: boolean;
}

export interface SnapshotsAnswer {
  readonly snapshots: readonly ShownSnapshot[];
  readonly areKept: boolean;
}

export interface ShownItem {
  readonly key: string;
  readonly title: string;
  readonly status: string;
  readonly tone: "good" | "waiting" | "plain" | "quiet";
  readonly about: string;
  /** When it was written, or counts from. */
  readonly atMs?: number | undefined;
  readonly expiresAtMs: number | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
  /** JSON of a trigger's state; only this can be changed. */
  readonly value?: string;
}

export interface ItemsAnswer extends Rows<ShownItem> {
  readonly tables: readonly { readonly id: string; readonly title: string; readonly count: number }[];
  readonly table: string;
}

export interface ShownTimer {
  readonly id: string;
  readonly kind: "delivery" | "lane" | "queue" | "flow" | "function" | "schedule";
  readonly what: string;
  readonly where: string;
  readonly dueMs: number;
  readonly href?: string | undefined;
}

export interface TimersAnswer {
  readonly nowMs: number;
  readonly schedulesRun: boolean;
  /** The next 200, soonest first. */
  readonly timers: readonly ShownTimer[];
  readonly total: number;
}

export interface WebhooksAnswer {
  readonly engine: "current" | "legacy";
  readonly problems: readonly string[];
}
