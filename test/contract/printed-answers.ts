import type { CatalogueOperation } from "../../local/platform/catalogue/operations.ts";
import { readDiffering } from "../../local/platform/ledger/rows.ts";
import { documentedExamples } from "../helpers/catalogue.ts";
import { compareShapes } from "./compare-shapes.ts";
import type { RawAnswer } from "./every-request.ts";

/** The printed answers by api and operation. */
export const printed = new Map(documentedExamples().map(({ api, id, data }) => [`${api} ${id}`, data]));
/** The known differences from them. */
export const differing = new Map(readDiffering().map(({ id, differences }) => [id, differences]));

/** Lists unlisted differences of an answer from the printed one, and listed ones that do not exist. */
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

/** The part that examples print: the data, or the whole answer if it has no wrapper. */
function dataOf({ id, isBare }: CatalogueOperation, { json = {} }: RawAnswer): unknown {
  const isPlain = /^(store|update|get)-settings-push-notification$/.test(id);
  return isBare === true || isPlain ? json : json.data;
}

/** Checks if an entry of the list matches a difference; `.*` at its end matches everything below. */
function isNamedBy(entry: string, difference: string) {
  return entry.endsWith(".*") ? difference.startsWith(entry.slice(0, -1)) : entry === difference;
}
