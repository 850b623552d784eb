import { OwnError } from "./errors.ts";

export class MissingSettingError extends OwnError {
  override readonly name = "MissingSettingError";

  constructor(variable: string) {
    super(`The environment variable ${variable} is not set. serverless.yml sets it.`);
  }
}

/** @throws MissingSettingError if it is missing or empty */
export function readSetting(variable: string): string {
  const value = process.env[variable];
  if (value === undefined || value === "") throw new MissingSettingError(variable);
  return value;
}

export function readSettingOr(variable: string, otherwise: string): string {
  return process.env[variable] || otherwise;
}

export class InvalidSettingError extends OwnError {
  override readonly name = "InvalidSettingError";

  constructor(variable: string, most: number) {
    const limit = Number.isFinite(most) ? `, at most ${most}` : "";
    super(
      `The environment variable ${variable} must be a number above 0${limit}, without a unit. serverless.yml sets it.`,
    );
  }
}

/** @param most Default: no limit. @throws InvalidSettingError */
export function readNumberOr(
  variable: string,
  otherwise: number,
  most: number = Number.POSITIVE_INFINITY,
): number {
  const value = Number(readSettingOr(variable, String(otherwise)));
  if (Number.isFinite(value) && value > 0 && value <= most) return value;
  throw new InvalidSettingError(variable, most);
}

/** Splits at commas. Returns an empty list if not set. */
export function readList(variable: string): readonly string[] {
  const named = readSettingOr(variable, "").split(",");
  return named.map((one) => one.trim()).filter((one) => one !== "");
}

export function readAwsEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}
