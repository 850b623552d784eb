import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

describe("exported functions", () => {
  // The page is a program of its own, in the browser.
  it.each([
    ["lib and local", (file: string) => !isOfPage(file), 500],
    ["the console's page", isOfPage, 50],
  ])("of %s have each a name of their own, so that a search finds one", (_room, isMeant, least) => {
    const places = [...sourcesOf("lib"), ...sourcesOf("local")].filter(isMeant).flatMap(exportsOf);

    const shared = [...Map.groupBy(places, ({ name }) => name)].filter(([, at]) => at.length > 1);

    expect(places.length).toBeGreaterThan(least);
    expect(shared.map(([name, at]) => `${name}: ${at.map(({ file }) => file).join(", ")}`)).toEqual([]);
  });
});

function isOfPage(file: string): boolean {
  return file.startsWith("local/console/page/");
}

function sourcesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `${folder}/${path}`)
    .toSorted();
}

// Overloads of one function stand in one file and count once.
function exportsOf(file: string): { name: string; file: string }[] {
  const text = readFileSync(join(root, file), "utf8");
  const declared = text.matchAll(/^export (?:async )?function\*? (\w+)/gm);
  const assigned = text.matchAll(/^export const (\w+)(?::[^=\n]+)? = (?:async )?(?:<[^>\n]*>)?\(/gm);
  const names = new Set([...declared, ...assigned].map(([, name = ""]) => name));
  return [...names].map((name) => ({ name, file }));
}
