import type { Problem } from "../../../events/problems.ts";

/** Says in one line what is wrong with a delivery; no value of it is in it. */
export function tellProblems(problems: readonly Problem[]): string {
  return problems.map(({ path, expected, found }) => `${path}: ${expected}, not ${found}`).join("; ");
}
