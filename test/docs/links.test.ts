import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { copyFiles } from "../../tools/package/copy-files.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const root = join(import.meta.dirname, "../..");

it("pages link only to files that exist, and packed pages only to packed ones", () => {
  const packed = temporaryFolder();
  copyFiles(root, packed);

  const links = [...linksOf("{*,docs/**/*}.md", root), ...linksOf("**/*.md", packed)];

  const dead = links.filter(({ folder, page, target }) => !existsSync(join(folder, dirname(page), target)));
  expect(links.length).toBeGreaterThan(1_000);
  expect(dead).toEqual([]);
});

/** Reads the relative links and images of a folder's pages, except those in code blocks. */
function linksOf(pages: string, folder: string) {
  return globSync(pages, { cwd: folder }).flatMap((page) => {
    const prose = readFileSync(join(folder, page), "utf8").replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
    const targets = prose.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g);
    return [...targets].map(([, target = ""]) => ({ folder, page, target }));
  });
}
