import { listSome } from "../lib/base/names.ts";
import { type CliError, partlyDone } from "./cli-error.ts";
import { toFailure } from "./to-failure.ts";

interface Names<Item> {
  readonly did: string;
  readonly nameOf: (item: Item) => string;
  readonly again: string;
}

/** @throws the error of the first change, or CliError if a later one fails */
export async function changeEach<Item, Result>(
  items: readonly Item[],
  change: (item: Item) => Promise<Result>,
  { did, nameOf, again }: Names<Item>,
) {
  const results: Result[] = [];
  for (const item of items) {
    try {
      results.push(await change(item));
    } catch (error) {
      const { length } = results;
      if (length === 0) throw error;
      const names = listSome(items.slice(0, length).map(nameOf), 20);
      throw stoppedAfter(error, `${did}: ${names} (${length} of ${items.length}).`, again);
    }
  }
  return results;
}

export function stoppedAfter(error: unknown, done: string, again: string): CliError {
  const { code, message, hint } = toFailure(error);
  const hints = [...(hint === undefined ? [] : [hint]), `Then continue: ${again}`];
  return partlyDone(code, `${message} ${done}`, hints.join("\n"), error);
}
