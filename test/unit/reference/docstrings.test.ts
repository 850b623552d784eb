import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** The methods of every family's client, with what is said of them. */
const methods = globSync("lib/chat/types/*.ts").flatMap((file) => {
  const families = readFileSync(file, "utf8").matchAll(/^export interface (\w+Client) \{\n([\s\S]*?)^\}/gm);
  return [...families].flatMap(([, family = "", body = ""]) =>
    [...body.matchAll(/(?: {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)? {2}(\w+)\(/g)].map(
      ([, text = "", name = ""]) => [`${family}.${name}`, text] as const,
    ),
  );
});

describe("the docstrings of the client's methods", () => {
  it("say of each whether it may be repeated", () => {
    expect(methods.filter(([, text]) => !/repeat/i.test(text)).map(([name]) => name)).toEqual([]);
    expect(methods.length).toBeGreaterThanOrEqual(250);
  });
});
