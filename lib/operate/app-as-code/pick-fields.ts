import type { Fields } from "./thing.ts";

/** Picks fields of an answer; what is null or missing is left out. */
export function pickFields(answer: Readonly<Record<string, unknown>>, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) =>
      answer[name] === undefined || answer[name] === null ? [] : [[name, answer[name]]],
    ),
  );
}
