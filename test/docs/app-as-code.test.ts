import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkConfig } from "../../scripts/load-config-file.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/app-as-code.md"), "utf8");
const files = [...page.matchAll(/^```yaml\n# config\/(\S+)\n([\s\S]*?)^```$/gm)].map(
  ([, name = "", text = ""]) => [name, text] as const,
);

describe("docs/app-as-code.md", () => {
  it("shows a file in each block of YAML", () => {
    expect(files.length).toBeGreaterThan(3);
    expect(files).toHaveLength([...page.matchAll(/^```yaml$/gm)].length);
  });

  it.each(files)("shows a %s that fits", (name, text) => {
    expect(checkConfig(name, text)).toEqual(expect.anything());
  });
});
