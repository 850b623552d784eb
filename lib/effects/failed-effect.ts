import { causesOf } from "../base/errors.ts";
import { hideAndCut } from "../base/known-secrets.ts";

const notes = new WeakMap<object, string>();

/**
 * Adds the caller's frames to the error's stack, which ends before them: V8 follows no promise that is
 * awaited twice.
 * @param caller an Error without a message: its stack begins with 5 characters that are no frame
 */
export function noteFailedEffect(error: unknown, name: string, caller: Error): void {
  const inner = innermost(error);
  if (!notes.has(inner)) Reflect.set(inner, "stack", inner.stack + caller.stack?.slice(5));
  notes.set(inner, name);
}

/** Names the effect that failed by this error, after a blank; "" if it was none. */
export function failedEffectOf(error: unknown): string {
  const name = notes.get(innermost(error));
  return name === undefined ? "" : ` (effect "${hideAndCut(name, longestName)}")`;
}

const longestName = 100;

function innermost(error: unknown) {
  return Object(causesOf(error).at(-1));
}
