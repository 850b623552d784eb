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

describe("citations of what is known about the platform", () => {
  it("lead to a section that exists", () => {
    const broken = [...texts].flatMap(([path, text]) =>
      [...citationsOf(path, text)]
        .filter(({ page, section }) => !sections.get(page)?.includes(section))
        .map(({ page, section }) => `${path}: ${page}#${section}`),
    );

    expect(broken).toEqual([]);
  });

  it("are found in code, tests and pages", () => {
    const citing = [...texts].filter(([path, text]) => citationsOf(path, text).length > 0);

    const found = citing.map(([path]) => path.split("/")[0]);
    expect(found).toEqual(expect.arrayContaining(["docs", "lib", "local", "test"]));
  });

  it("name a section, not a paragraph of something that is not here", () => {
    const left = [...texts].flatMap(([path, text]) =>
      text
        .split("\n")
        .filter((line) => /platform facts|(?<!RFC \d{4} )§/i.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );

    expect(left).toEqual([]);
  });
});

describe.each(pages)("%s", (page) => {
  const text = read(page);

  it("gives each section a name of its own", () => {
    const names = sectionsOf(text);

    expect(names).toHaveLength(new Set(names).size);
    expect(names.length).toBeGreaterThan(2);
  });

  it("says how sure it is and where it has that from", () => {
    expect(text).toMatch(/\(README\.md#how-sure\)|^## How sure$/m);
    expect(text).toMatch(/^(Sources:|## Sources$)/m);
  });

  it("names its sources by addresses that can be followed", () => {
    const sources = [...text.matchAll(/\]\((https?:[^)]*)\)/g)].map(([, address]) => String(address));

    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) {
      expect(source).toMatch(/^https:\/\/github\.com\/[\w-]+\/[\w-]+(\/blob\/\w+\/[\w./-]+\.(mdx|json))?$/);
    }
    expect(text.match(/\]\s+\(|\]\([^)]*\s[^)]*\)/g)).toBeNull();
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
function firstSection(page: string): string {
  return sections.get(page)?.[0] ?? "";
}

/** The names under which a page's headings can be linked to. */
function sectionsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(/\s/g, "-"),
  );
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function isForeign(path: string): boolean {
  return /node_modules|^test\/bench\/peers|^test\/docs\/citations\.test\.ts$|^docs\/internals\/bench/.test(
    path,
  );
}
