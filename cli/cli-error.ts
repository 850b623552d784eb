import { type ExitCode, exitCodes } from "./exit-codes.ts";

export interface CliErrorFacts {
  /** A constant word for scripts, in capitals. */
  readonly code: string;
  readonly exitCode: ExitCode;
  /** What to type or to check. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** Ends a command. Its message says what was being done, to which id; the hint says what to do about it. */
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

/** Says that a command was asked in a wrong way. */
export function wrongUse(message: string, hint?: string): CliError {
  return new CliError(message, { code: "WRONG_USE", exitCode: exitCodes.wrongUse, hint });
}
