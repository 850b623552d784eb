import type { KillPoint } from "../lambda/function-definition.ts";

/** The services that can be made ill. */
export type FaultyService = "dynamodb" | "lambda" | "secretsmanager" | "sqs";

/** What goes wrong with the calls of one service. */
export interface ServiceFaultSetting {
  /** Every call's connection is closed, without an answer. */
  readonly isDown: boolean;
  /** The chance of a call to be refused as one too many, 0 to 1. */
  readonly throttled: number;
  /** So many milliseconds pass before each call is looked at. */
  readonly slowMs: number;
}

/** Everything that goes wrong in the local cloud on purpose. */
export interface CloudFaultSettings {
  readonly services: Readonly<Record<FaultyService, ServiceFaultSetting>>;
  /** The chance of a queue's batch to be handed to its function twice, 0 to 1. */
  readonly doubled: number;
  /** Which processes are killed at which of their requests; `chance` counts per invocation, 0 to 1. */
  readonly kills: readonly KillRule[];
  /** Processes of one function at the same time, by its key; what is absent is as the world was started. */
  readonly concurrency: Readonly<Record<string, number>>;
}

/** Kills processes of a function at a point. */
export interface KillRule {
  readonly functionKey: string;
  readonly point: KillPoint;
  readonly chance: number;
}

/** How often each thing happened since the settings were set. */
export interface CloudStrikes {
  readonly services: Readonly<Record<FaultyService, { down: number; throttled: number; slow: number }>>;
  readonly doubled: number;
  /** In the order of the rules. */
  readonly kills: readonly number[];
}
