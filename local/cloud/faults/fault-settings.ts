import type { KillPoint } from "../lambda/function-definition.ts";

export type FaultyService = "dynamodb" | "lambda" | "secretsmanager" | "sqs";

export interface ServiceFaultSetting {
  /** Closes every connection without an answer. */
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
  /** Concurrency by function key. Default: as started. */
  readonly concurrency: Readonly<Record<string, number>>;
  /** Default: all except the console. */
  readonly callers?: "functions" | undefined;
  /** End, by the local stack's clock. Default: never. */
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
