import type { KillPoint } from "../lambda/function-definition.ts";

/** The services that can fail on purpose. */
export type FaultyService = "dynamodb" | "lambda" | "secretsmanager" | "sqs";

/** What goes wrong with the calls of one service. */
export interface ServiceFaultSetting {
  /** Every call's connection is closed, without an answer. */
  readonly isDown: boolean;
  /** The chance that a call is throttled, 0 to 1. */
  readonly throttled: number;
  /** The delay of each call in milliseconds. */
  readonly slowMs: number;
}

/** Everything that goes wrong in the local cloud on purpose. */
export interface CloudFaultSettings {
  readonly services: Readonly<Record<FaultyService, ServiceFaultSetting>>;
  /** The chance that a queue's batch is handed to its function twice, 0 to 1. */
  readonly doubled: number;
  /** Which processes are killed at which of their requests; `chance` counts per invocation, 0 to 1. */
  readonly kills: readonly KillRule[];
  /** Processes of one function at the same time, by its key. Default: as the stack was started. */
  readonly concurrency: Readonly<Record<string, number>>;
}

/** Kills processes of a function at a point. */
export interface KillRule {
  readonly functionKey: string;
  readonly point: KillPoint;
  readonly chance: number;
}

/** How often each fault occurred since it was set. */
export interface CloudStrikes {
  readonly services: Readonly<Record<FaultyService, { down: number; throttled: number; slow: number }>>;
  readonly doubled: number;
  /** In the order of the rules. */
  readonly kills: readonly number[];
}
