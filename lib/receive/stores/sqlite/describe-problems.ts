import type { Problem } from "../../../events/problems.ts";

export function describeProblems(problems: readonly Problem[]): string {
  return problems.map(({ path, expected, found }) => `${path}: ${expected}, not ${found}`).join("; ");
}
