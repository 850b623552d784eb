import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pageFolder } from "../../local/console/page-routes.ts";

const files = readdirSync(pageFolder, { recursive: true, encoding: "utf8" });
const styles = textOf(/\.css$/);
const code = textOf(/\.tsx?$/);
const styled = new Set([...styles.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = ""]) => name));

describe("the styles of the console", () => {
  it("stay small, with one scale of type", () => {
    const sizes = new Set([...styles.matchAll(/font-size: ([^;]+);/g)].map(([, size]) => size));

    expect(styles.split("\n").length).toBeLessThanOrEqual(1_800);
    // 0.92em makes a fixed-width font as large as the text around it.
    expect([...sizes].sort()).toEqual(["0.92em", "1rem", "var(--huge)", "var(--large)", "var(--small)"]);
  });

  it("style only classes that a view uses", () => {
    const isUsed = (name: string) =>
      new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code) ||
      code.includes(`${name.replace(/[^-]+$/, "")}\${`);

    expect([...styled].filter((name) => !isUsed(name))).toEqual([]);
  });

  it("style each class that a view uses", () => {
    const literals = [...code.matchAll(/class=(?:"([^"]*)"|\{`([^`]*)`\})/g)];
    const names = literals.flatMap(([, text = "", template = text]) =>
      template.replaceAll(/[\w-]*\$\{[^}]*\}/g, " ").split(/\s+/),
    );

    // A script may find an element by a class without a style.
    const isKnown = (name: string) => name === "" || styled.has(name) || code.includes(`.${name}"`);
    expect(names.filter((name) => !isKnown(name))).toEqual([]);
  });
});

function textOf(kind: RegExp) {
  return files
    .filter((file) => kind.test(file))
    .map((file) => readFileSync(join(pageFolder, file), "utf8"))
    .join("");
}
