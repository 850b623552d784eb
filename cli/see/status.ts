import type { Unknown } from "../../lib/operate/doctor/finding.ts";
import type { PauseResult } from "../pauses/pause-word.ts";

export interface Status {
  at: string;
  /** CloudFormation's word. */
  stack: string;
  /** With the command to type. */
  troubles: {
    says: string;
    type?: string | undefined;
  }[];
  /** What was to be looked at, and could not: `because` if a read was refused or not answered. */
  notLookedAt: {
    what: string;
    why: string;
    because: Unknown["because"];
  }[];
  /** Within the hour. */
  doctor?:
    | {
        at: string;
        failed: number;
      }
    | undefined;
  queues: {
    queue: string;
    waiting: number;
    taken: number;
    /** Some minutes late; absent if CloudWatch has no figure. */
    oldestSeconds?: number | undefined;
  }[];
  /** In the last hour. */
  functions: {
    function: string;
    invocations: number;
    errors: number;
    throttles: number;
    /** A run of the last five minutes failed, and no later runs prove that its cause is mended. */
    failsNow: boolean;
    /** If the last runs failed, longer ago, and none came since. */
    lastFailedAt?: string | undefined;
    /** No run began after the last throttled one. */
    isThrottledNow: boolean;
    averageMs?: number | undefined;
    longestMs?: number | undefined;
  }[];
  apps: {
    appId: string;
    /** From a sample if there are many lines. */
    handledPerMinute: number;
    /** From receipt to the end of handling. */
    medianMs?: number | undefined;
    slowMs?: number | undefined;
    /** Of the last hour, by metric; absent if not asked. */
    failures?: Record<string, number> | undefined;
    /** Of `failures`, those after which no event of the app was handled. */
    failing?: string[] | undefined;
    /** Breaker open. */
    closed: string[];
    /** Parked conversations now or within the hour. */
    isInTrouble: boolean;
    paused: string[];
  }[];
  pauses: PauseResult[];
  /** What was acted on, with the stack's outputs. */
  target: {
    kind: "local" | "stage";
    stage: string;
    region: string;
    account: string;
    outputs: Record<string, string>;
  };
}
