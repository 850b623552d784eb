import { describe, expect, it } from "vitest";
import type { CatalogueOperation } from "../../local/platform/catalogue/operations.ts";
import { readDiffering } from "../../local/platform/ledger/rows.ts";
import { documentedExamples } from "../helpers/catalogue.ts";
import { compareShapes } from "./compare-shapes.ts";
import { everyRequest, type RawAnswer, sendRaw } from "./every-request.ts";
import { everySetting, exampleSamples } from "./example-requests.ts";
import { onePlatform } from "./one-platform.ts";

const platform = onePlatform({ switches: { messageRetentionDays: 0 } });

const examples = new Map(
  documentedExamples().map((example) => [`${example.api} ${example.id}`, example.data]),
);
const differing = new Map(readDiffering().map(({ id, differences }) => [id, differences]));
const cases = everyRequest({ given: exampleSamples, settings: everySetting }).flatMap(
  ([id, operation, make]) => {
    const example = examples.get(`${operation.api} ${id}`);
    return example === undefined ? [] : [[id, operation, make, example] as const];
  },
);

describe("the printed answer of an operation", () => {
  it.each(cases)("%s has the keys and types of ours, or is named", async (id, operation, make, example) => {
    const request = await make(platform());
    await platform().idle(); // the outcome of a delivery is part of some answers

    const answer = await sendRaw(request);

    const named = differing.get(`${operation.api} ${id}`) ?? [];
    const differences = compareShapes(example, dataOf(operation, answer));
    expect(answer.status).toBe(operation.status ?? 200);
    expect(differences.filter((one) => !named.some((name) => isNamedBy(name, one)))).toEqual([]);
    expect(named.filter((name) => !differences.some((one) => isNamedBy(name, one)))).toEqual([]);
  });

  it("is compared for each example, and each named one has an example", () => {
    const compared = cases.map(([id, { api }]) => `${api} ${id}`);

    expect([...examples.keys()].filter((id) => !compared.includes(id))).toEqual([]);
    expect([...differing.keys()].filter((id) => !compared.includes(id))).toEqual([]);
    expect(compared.length).toBeGreaterThan(300);
  });
});

/** The part that examples print: the data, but of the answers that have no wrapper all of it. */
function dataOf({ id, isBare }: CatalogueOperation, { json = {} }: RawAnswer): unknown {
  const isPlain = /^(store|update|get)-settings-push-notification$/.test(id);
  return isBare === true || isPlain ? json : json.data;
}

/** Tells whether an entry of the list is about a difference; `.*` at its end stands for all below. */
function isNamedBy(entry: string, difference: string) {
  return entry.endsWith(".*") ? difference.startsWith(entry.slice(0, -1)) : entry === difference;
}
