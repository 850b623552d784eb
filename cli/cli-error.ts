import { type ExitCode, type ExitName, exitCodes } from "./exit-codes.ts";

/** The message says what failed and for which id. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;
  /** A constant for scripts, in capitals. */
  readonly code: string;
  /** What to type or to check. */
  readonly hint: string | undefined;

  constructor(end: ExitName, code: string, message: string, hint?: string, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCodes[end];
    this.code = code;
    this.hint = hint;
  }
}

export function wrongUse(message: string, hint?: string): CliError {
  return new CliError("wrongUse", "WRONG_USE", message, hint);
}
