export type LogLevel = "debug" | "info" | "warn" | "error";

/** One line of a function's log. */
export interface LogRow {
  /** Grows with each line. */
  readonly id: number;
  readonly atMs: number;
  readonly functionKey: string;
  /** The function's own line, a metric, what Lambda itself says, or any other text. */
  readonly kind: "own" | "metric" | "lambda" | "text";
  readonly level: LogLevel;
  readonly message: string;
  /** What the line says beside its message, as text; long ones are cut. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface LogList {
  /** Oldest first: the newest that match, or those before the one that was named. */
  readonly lines: readonly LogRow[];
  readonly hasOlder: boolean;
  readonly matching: number;
  readonly kept: number;
  /** How many that match came after the line named by `after`. */
  readonly newer: number;
  /** The functions that wrote a line. */
  readonly functions: readonly string[];
}

/** A line as it was written, without secrets. */
export interface WholeLine {
  readonly text: string;
}
