import { isError } from "./realm.ts";

/**
 * Base of the errors whose messages this project writes, from names, codes and configuration. Logs show these
 * messages alone.
 */
export class OwnError extends Error {
  /** What a service answered, if safe to log. @internal */
  declare readonly said?: string | undefined;

  /** What logs show. @internal */
  get logged(): string {
    return this.message;
  }
}

/**
 * Throw this from a trigger handler for an event that no retry can handle: it is dead-lettered immediately,
 * with this message as the cause, and its lane continues. Do not include message texts.
 */
export class PermanentError extends OwnError {
  override readonly name = "PermanentError";
}

const maxCauses = 10;

/** Returns an error and its causes, outermost first, at most ten, a cyclic chain once. Never throws. */
export function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  let one = error;
  while (isError(one) && causes.length < maxCauses && !causes.includes(one)) {
    causes.push(one);
    one = readField(one, "cause");
  }
  return causes;
}

/** @returns `otherwise` if the field's getter throws; undefined if `value` is no object */
export function readField(value: unknown, name: string, otherwise?: unknown): unknown {
  try {
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  } catch {
    return otherwise;
  }
}
