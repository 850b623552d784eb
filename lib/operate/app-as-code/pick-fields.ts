import type { Fields } from "./thing.ts";

/** Returns the named fields of an answer, without null or missing ones. */
export function pickFields(answer: Readonly<Record<string, unknown>>, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) =>
      answer[name] === undefined || answer[name] === null ? [] : [[name, answer[name]]],
    ),
  );
}
