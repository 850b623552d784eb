import type { Problem } from "../../../events/problems.ts";

/** Describes in one line what is wrong with a delivery, without its values. */
export function describeProblems(problems: readonly Problem[]): string {
  return problems.map(({ path, expected, found }) => `${path}: ${expected}, not ${found}`).join("; ");
}
