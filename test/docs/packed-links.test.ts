import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { copyFiles } from "../../tools/package/copy-files.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const root = join(import.meta.dirname, "../..");

it("packed pages link to packed files only", () => {
  const packed = temporaryFolder();
  copyFiles(root, packed);

  const links = globSync("**/*.md", { cwd: packed }).flatMap((page) => linksOf(page, packed));

  const dead = links.filter(({ page, target }) => !existsSync(join(packed, dirname(page), target)));
  expect(links.length).toBeGreaterThan(500);
  expect(dead).toEqual([]);
});

/** Reads the relative links and images of a page, except those in code blocks. */
function linksOf(page: string, folder: string) {
  const prose = readFileSync(join(folder, page), "utf8").replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
  return [...prose.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, target = ""]) => ({
    page,
    target,
  }));
}
