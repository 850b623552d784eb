import { readdirSync, readFileSync } from "node:fs";

const folder = new URL("../../../cli/trigger/samples/", import.meta.url);

/** Loads one fixture by its name without ending, such as `message-edited.live`. */
export function loadFixture(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));
}

/** Loads all fixtures, as pairs of name and body. */
export function loadFixtures(): [name: string, body: Record<string, unknown>][] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .map((name) => [name, loadFixture(name)]);
}
