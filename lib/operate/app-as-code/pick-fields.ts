import type { Fields } from "./thing.ts";

/** Without null or missing ones. */
export function pickFields(answer: Readonly<Record<string, unknown>>, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.flatMap((name) =>
      answer[name] === undefined || answer[name] === null ? [] : [[name, answer[name]]],
    ),
  );
}
