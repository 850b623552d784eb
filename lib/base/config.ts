import { OwnError } from "./own-error.ts";

/** Thrown at start if a setting is missing. Names the variable. */
export class MissingSettingError extends OwnError {
  override readonly name = "MissingSettingError";

  constructor(variable: string) {
    super(`The environment variable ${variable} is not set. serverless.yml sets it for each function.`);
  }
}

/** Reads a required setting. @throws MissingSettingError if it is missing or empty */
export function readSetting(variable: string): string {
  const value = process.env[variable];
  if (value === undefined || value === "") throw new MissingSettingError(variable);
  return value;
}

export function readSettingOr(variable: string, otherwise: string): string {
  return process.env[variable] || otherwise;
}

/** Thrown at start if a setting is not a number within its limits. Names the variable. */
export class InvalidSettingError extends OwnError {
  override readonly name = "InvalidSettingError";

  constructor(variable: string, most: number) {
    const limit = Number.isFinite(most) ? `, at most ${most}` : "";
    super(
      `The environment variable ${variable} must be a number above 0${limit}, without a unit. serverless.yml sets it.`,
    );
  }
}

/**
 * Reads an optional number.
 * @param most Default: no limit.
 * @throws InvalidSettingError
 */
export function readNumberOr(
  variable: string,
  otherwise: number,
  most: number = Number.POSITIVE_INFINITY,
): number {
  const value = Number(readSettingOr(variable, String(otherwise)));
  if (Number.isFinite(value) && value > 0 && value <= most) return value;
  throw new InvalidSettingError(variable, most);
}

/** Reads a comma-separated list. Returns an empty list if it is not set. */
export function readList(variable: string): readonly string[] {
  const named = readSettingOr(variable, "").split(",");
  return named.map((one) => one.trim()).filter((one) => one !== "");
}

/** Reads the variables for AWS calls without the SDK, which reads the same ones itself. */
export function readAwsEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}
