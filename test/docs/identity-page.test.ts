import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../lib/events/catalogue.ts";
import { identify } from "../../lib/events/identity.ts";
import { loadFixtures } from "../helpers/events/fixtures.ts";

const page = readFileSync(new URL("../../docs/internals/identity.md", import.meta.url), "utf8");
/** Empty if the heading after the table is missing. */
const [table = ""] = /\| Trigger \|.*(?=\n## What cannot be distinguished\n)/s.exec(page) ?? [];
const familyNames = new Map([
  ["legacy", "legacy"],
  ["bot", "bot"],
]);
/** The page does not mark names that only one family uses. */
const rows = [...table.matchAll(/^\| (`.+) \| .+ \| (.+) \|$/gm)].flatMap(([, first = "", recurs]) => {
  const family = familyNames.get(/\((\w+)\)/.exec(first)?.[1] ?? "");
  return [...first.matchAll(/`([\w-]+)`/g)].map(([, trigger = ""]) => ({
    trigger,
    family: family ?? catalogue[trigger as keyof typeof catalogue].families[0],
    recurs,
  }));
});

describe("docs/internals/identity.md", () => {
  it("has a row for each trigger of the catalogue, in each family that uses it", () => {
    const known = Object.entries(catalogue).flatMap(([trigger, { families }]) =>
      families.map((family) => `${family} ${trigger}`),
    );

    expect(rows.map(({ family, trigger }) => `${family} ${trigger}`).toSorted()).toEqual(known.toSorted());
  });

  it.each(loadFixtures())("documents whether the key of %s can recur", (_name, body) => {
    const { family, trigger, canRecur } = identify(body, "app") ?? {};
    const row = rows.find((one) => one.family === family && one.trigger === trigger);

    // The samples have the times that their events should have.
    expect(canRecur).toBe(row?.recurs === "yes");
  });
});
