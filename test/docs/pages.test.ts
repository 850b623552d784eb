import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const pages = [...globSync("*.md", { cwd: root }), ...globSync("docs/**/*.md", { cwd: root })];
describe.each(pages)("%s", (page) => {
  const prose = readFileSync(join(root, page), "utf8").replaceAll(/```[\s\S]*?```/g, "");

  it("links only to files that exist", () => {
    const targets = [...prose.matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)].map(([, target]) => String(target));

    const missing = targets
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => !existsSync(join(root, dirname(page), target)));
    expect(missing).toEqual([]);
  });
});
