import type { Rows } from "./rows.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface LogRow {
  readonly id: number;
  readonly atMs: number;
  readonly functionKey: string;
  /** `own`: the function's logger. `lambda`: Lambda itself. */
  readonly kind: "own" | "metric" | "lambda" | "text";
  readonly level: LogLevel;
  readonly message: string;
  /** The other fields, as text; long ones are truncated. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Oldest first. */
export interface LogList extends Rows<LogRow> {
  readonly kept: number;
  readonly functions: readonly string[];
}

export interface WholeLine {
  readonly text: string;
}
