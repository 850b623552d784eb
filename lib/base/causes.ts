import { isError } from "./realm.ts";

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

/** Returns `otherwise` if the field's getter throws; undefined if `value` is no object. */
export function readField(value: unknown, name: string, otherwise?: unknown): unknown {
  try {
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  } catch {
    return otherwise;
  }
}
