import { CliError } from "../cli-error.ts";
import type { Output } from "../output.ts";
import type { lossesOf, ResourceChange } from "../stack/changes.ts";

const words = {
  add: "adds",
  import: "adopts",
  modify: "changes",
  replace: "replaces",
  remove: "removes",
} as const;

/** Counts of the usual ones, names of the others. */
export function printChanges(changes: readonly ResourceChange[], out: Output, title: string): void {
  if (changes.length === 0) {
    out.note(`Nothing of ${title} would change.`);
    return;
  }
  for (const [action, word] of Object.entries(words)) {
    const found = changes.filter((change) => change.action === action);
    if (found.length === 0) continue;
    out.note(`${word} ${found.length}: ${countByType(found)}`);
    if (action === "add" || action === "modify") continue;
    for (const { logicalId, type, isKept } of found) {
      out.note(
        `  ${logicalId} (${type})${isKept && action === "remove" ? ", which continues to exist" : ""}`,
      );
    }
  }
}

/** @throws CliError that names what would be lost, unless that is allowed */
export function refuseLosses(losses: ReturnType<typeof lossesOf>, isAllowed: boolean): void {
  if (losses.length === 0 || isAllowed) return;
  const told = losses.map(({ change, loss }) => `${change.logicalId} (${loss})`).join(", ");
  throw new CliError(
    "refused",
    "WOULD_LOSE",
    `This would destroy ${told}. Nothing was changed.`,
    "To continue anyway, add --allow-loss.",
  );
}

/** `AWS::SQS::Queue` twice → `2 queues`, as `2 SQS Queue`. */
function countByType(changes: readonly ResourceChange[]): string {
  const counts = new Map<string, number>();
  for (const { type } of changes) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([type, count]) => `${count} ${type.split("::").slice(1).join(" ")}`)
    .join(", ");
}
