import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { brokenLinks } from "../../../tools/reference/broken-links.ts";

describe("brokenLinks", () => {
  it("lists links to pages and to places that are not there", () => {
    const folder = pages({
      "index.html": '<a href="a/page.html#here">1</a><a href="a/page.html#gone">2</a><a href="no.html">3</a>',
      "a/page.html": '<h2 id="here"><a class="x" href="../index.html">4</a><a href="#here">5</a></h2>',
    });

    expect(brokenLinks(folder)).toEqual([
      "index.html: a/page.html#gone leads nowhere.",
      "index.html: no.html leads nowhere.",
    ]);
  });

  it("does not follow links to other hosts", () => {
    expect(brokenLinks(pages({ "index.html": '<a href="https://example.com/">1</a>' }))).toEqual([]);
  });
});

function pages(texts: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "pages-"));
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
