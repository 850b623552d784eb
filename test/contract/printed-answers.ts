import type { CatalogueOperation } from "../../local/platform/catalogue/operations.ts";
import { readDiffering } from "../../local/platform/ledger/rows.ts";
import { documentedExamples } from "../helpers/catalogue.ts";
import { compareShapes } from "./compare-shapes.ts";
import type { RawAnswer } from "./every-request.ts";

/** The printed answers by api and operation. */
export const printed = new Map(documentedExamples().map(({ api, id, data }) => [`${api} ${id}`, data]));
/** What is known to differ from them. */
export const differing = new Map(readDiffering().map(({ id, differences }) => [id, differences]));

/** Lists where an answer differs from the printed one although nothing names it, and what is named and does not differ. */
export function unexplained(operation: CatalogueOperation | undefined, answer: RawAnswer): string[] {
  if (operation === undefined) return ["no operation"];
  const id = `${operation.api} ${operation.id}`;
  const example = printed.get(id);
  if (example === undefined) return [];
  const named = differing.get(id) ?? [];
  const found = compareShapes(example, dataOf(operation, answer));
  return [
    ...found.filter((one) => !named.some((name) => isNamedBy(name, one))),
    ...named
      .filter((name) => !found.some((one) => isNamedBy(name, one)))
      .map((name) => `only named: ${name}`),
  ];
}

/** The part that examples print: the data, but of the answers that have no wrapper all of it. */
function dataOf({ id, isBare }: CatalogueOperation, { json = {} }: RawAnswer): unknown {
  const isPlain = /^(store|update|get)-settings-push-notification$/.test(id);
  return isBare === true || isPlain ? json : json.data;
}

/** Tells whether an entry of the list is about a difference; `.*` at its end stands for all below. */
function isNamedBy(entry: string, difference: string) {
  return entry.endsWith(".*") ? difference.startsWith(entry.slice(0, -1)) : entry === difference;
}
