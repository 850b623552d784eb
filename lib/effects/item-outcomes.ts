import type { ItemResult } from "../chat/answers.ts";
import { unexpectedShape } from "../chat/read-answer.ts";

/** The outcome of each item of a request with several: a refused item does not fail the others. */
export interface ItemOutcomes {
  readonly done: readonly string[];
  /** Certainly so before, and not by this effect. */
  readonly wasSo: readonly string[];
  readonly refused: readonly { readonly id: string; readonly code: string }[];
}

/**
 * Checks that an answer has an outcome for each item.
 * @throws ChatUnreachableError if one is missing
 */
export function requireOutcomes(
  operation: string,
  asked: readonly string[],
  { done, wasSo, refused }: ItemOutcomes,
): ItemOutcomes {
  const told = new Set([...done, ...wasSo, ...refused.map(({ id }) => id)].map((id) => id.toLowerCase()));
  if (asked.every((id) => told.has(id.toLowerCase()))) return { done, wasSo, refused };
  throw unexpectedShape(operation);
}

/**
 * Sorts results by item (docs/internals/platform/answers-and-errors.md#results-per-item).
 * @param meanSo codes for "already so". `isAgain`: an earlier attempt may have done it, so they count as
 * done.
 */
export function readOutcomes(
  results: readonly (Readonly<Record<string, ItemResult>> | undefined)[],
  meanSo: readonly string[],
  isAgain: boolean,
): ItemOutcomes {
  const done: string[] = [];
  const wasSo: string[] = [];
  const refused: { id: string; code: string }[] = [];
  for (const [id, result] of results.flatMap((each) => Object.entries(each ?? {}))) {
    const code = String(result.error?.code ?? "UNKNOWN");
    if (result.success) done.push(id);
    else if (meanSo.includes(code)) (isAgain ? done : wasSo).push(id);
    else refused.push({ id, code });
  }
  return { done, wasSo, refused };
}
