import type { KillPoint } from "../lambda/function-definition.ts";

export type FaultyService = "dynamodb" | "lambda" | "secretsmanager" | "sqs";

export interface ServiceFaultSetting {
  /** Every call's connection is closed, without an answer. */
  readonly isDown: boolean;
  /** A chance, 0 to 1. */
  readonly throttled: number;
  readonly slowMs: number;
}

export interface CloudFaultSettings {
  readonly services: Readonly<Record<FaultyService, ServiceFaultSetting>>;
  /** The chance of a second delivery, 0 to 1. */
  readonly doubled: number;
  readonly kills: readonly KillRule[];
  /** By function key. Default: as the stack was started. */
  readonly concurrency: Readonly<Record<string, number>>;
  /** Default: everyone's but the console's. */
  readonly callers?: "functions" | undefined;
  /** Milliseconds since 1970 by the local stack's clock. Default: never. */
  readonly untilMs?: number | undefined;
}

export interface KillRule {
  readonly functionKey: string;
  readonly point: KillPoint;
  readonly chance: number;
}

export interface CloudStrikes {
  readonly services: Readonly<Record<FaultyService, { down: number; throttled: number; slow: number }>>;
  readonly doubled: number;
  readonly kills: readonly number[];
}
