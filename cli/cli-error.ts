import { type ExitCode, exitCodes } from "./exit-codes.ts";

export interface CliErrorFacts {
  /** A constant for scripts, in capitals. */
  readonly code: string;
  readonly exitCode: ExitCode;
  /** The remedy: what to type or to check. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** Ends a command. The message says what failed and for which id; the hint gives the remedy. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(message: string, { code, exitCode, hint, cause }: CliErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** Creates the error of a wrongly typed command. */
export function wrongUse(message: string, hint?: string): CliError {
  return new CliError(message, { code: "WRONG_USE", exitCode: exitCodes.wrongUse, hint });
}
