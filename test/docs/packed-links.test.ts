import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { copyFiles } from "../../tools/package/copy-files.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const root = join(import.meta.dirname, "../..");

it("links of the packed pages lead to packed files", () => {
  const packed = temporaryFolder();
  copyFiles(root, packed);

  const links = globSync("**/*.md", { cwd: packed }).flatMap((page) => linksOf(page, packed));

  const dead = links.filter(({ page, target }) => !existsSync(join(packed, dirname(page), target)));
  expect(links.length).toBeGreaterThan(500);
  expect(dead).toEqual([]);
});

/** Reads the relative links and images of a page, but for those in blocks of code. */
function linksOf(page: string, folder: string) {
  const prose = readFileSync(join(folder, page), "utf8").replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
  return [...prose.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, target = ""]) => ({
    page,
    target,
  }));
}
