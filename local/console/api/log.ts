export type LogLevel = "debug" | "info" | "warn" | "error";

export interface LogRow {
  readonly id: number;
  readonly atMs: number;
  readonly functionKey: string;
  /** `own`: of the function's logger. `lambda`: of Lambda itself. */
  readonly kind: "own" | "metric" | "lambda" | "text";
  readonly level: LogLevel;
  readonly message: string;
  /** The fields beside the message, as text; long ones are truncated. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface LogList {
  /** Oldest first. */
  readonly lines: readonly LogRow[];
  readonly hasOlder: boolean;
  readonly matching: number;
  readonly kept: number;
  /** Matching lines that came after the line `after`. */
  readonly newer: number;
  readonly functions: readonly string[];
}

/** A line as it was written, without secrets. */
export interface WholeLine {
  readonly text: string;
}
