export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;
  /** In capitals, for scripts. */
  readonly code: string;
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

type ErrorParts = readonly [code: string, message: string, hint?: string, cause?: unknown];

export const refused = (...parts: ErrorParts) => new CliError("refused", ...parts);
export const noRights = (...parts: ErrorParts) => new CliError("noRights", ...parts);
export const notThere = (...parts: ErrorParts) => new CliError("notThere", ...parts);
export const partlyDone = (...parts: ErrorParts) => new CliError("partlyDone", ...parts);

/** Scripts rely on these numbers: docs/commands.md. */
export const exitCodes = {
  done: 0,
  /** Done, and something checked is unhealthy. */
  unwell: 1,
  /** Wrong usage, input or configuration. Nothing was done. */
  wrongUse: 2,
  /** Not confirmed, guarded, or changed since it was planned. Nothing was done. */
  refused: 3,
  /** Credentials were not accepted, or lack a right. */
  noRights: 4,
  unreachable: 5,
  notThere: 6,
  /** The message says what was done, and how to continue. */
  partlyDone: 7,
  fault: 8,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export type ExitName = keyof typeof exitCodes;
