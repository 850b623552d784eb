import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const rooms = "{.ci,config,docs,functions,infrastructure,lib,local,build,tools,test}";
const texts = new Map(
  [`${rooms}/**/*.{ts,mjs,md,yml,json,txt}`, "*.{ts,md,yml}"]
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((path) => !isForeign(path))
    .map((path) => [path, read(path)] as const),
);
const pages = globSync("docs/internals/platform/*.md", { cwd: root });
const sections = new Map(pages.map((page) => [page, sectionsOf(read(page))] as const));

describe("citations of pages about the platform", () => {
  it("refer to existing sections", () => {
    const broken = [...texts].flatMap(([path, text]) =>
      [...citationsOf(path, text)]
        .filter(({ page, section }) => !sections.get(page)?.includes(section))
        .map(({ page, section }) => `${path}: ${page}#${section}`),
    );

    expect(broken).toEqual([]);
  });
});

/** A citation in plain words, or a link of a page. */
function citationsOf(path: string, text: string): { page: string; section: string }[] {
  const plain = text.matchAll(/\b(docs\/internals\/platform\/[\w-]+\.md)(?:#([\w-]+))?/g);
  const links = path.endsWith(".md") ? text.matchAll(/\]\((?!https?:)([^)#\s]*)#([\w-]+)\)/g) : [];
  return [
    ...[...plain].map(([, page = "", section]) => ({
      page,
      section: section ?? (path.endsWith(".md") ? firstSection(page) : ""),
    })),
    ...[...links]
      .map(([, target = "", section = ""]) => ({
        page: target === "" ? path : normalize(join(dirname(path), target)),
        section,
      }))
      .filter(({ page }) => page.startsWith("docs/internals/platform/")),
  ];
}

/** A page as a whole is cited by its title. */
function firstSection(page: string) {
  return sections.get(page)?.[0] ?? "";
}

/** The anchors of a page's headings. */
function sectionsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(/\s/g, "-"),
  );
}

function read(path: string) {
  return readFileSync(join(root, path), "utf8");
}

function isForeign(path: string) {
  return /node_modules|^test\/docs\/citations\.test\.ts$|^docs\/internals\/bench/.test(path);
}
