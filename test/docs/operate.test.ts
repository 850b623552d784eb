import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { alarmDefinitionsSchema } from "../../build/alarms/alarm-schema.ts";
import { commands } from "../../cli/commands.ts";
import { readArguments } from "../../cli/program.ts";
import { readCommandPages } from "./command-pages.ts";
import { toWords } from "./command-world.ts";

const root = join(import.meta.dirname, "../..");
const alarms = alarmDefinitionsSchema.parse(
  parse(readFileSync(join(root, "infrastructure/alarms.yml"), "utf8")),
);
const operate = readFileSync(join(root, "docs/operate.md"), "utf8");

describe("docs/operate.md", () => {
  const sections = new Map(
    operate.split(/^## /m).map((section) => [slugOf(section.slice(0, section.indexOf("\n"))), section]),
  );

  it.each(Object.keys(alarms))("documents commands for the alarm %s", (name) => {
    expect(sections.get(name)).toMatch(/^npx cometchat-functions .*--stage prod/m);
  });

  it("links only to its own headings", () => {
    const wanted = [...operate.matchAll(/\]\(#([^)]+)\)/g)].map(([, slug]) => String(slug));

    expect(wanted.filter((slug) => !sections.has(slug))).toEqual([]);
  });
});

describe("infrastructure/alarms.yml", () => {
  const code = globSync(["lib/**/*.ts", "functions/**/*.ts"], { cwd: root })
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");
  const counted = Object.values(alarms).flatMap(({ of }) => ("counted" in of ? [of.counted] : []));

  it.each(counted)("counts %s, which functions emit", (metric) => {
    expect(code).toContain(`"${metric}"`);
    expect(operate).toContain(`\`${metric}\``);
  });
});

describe("a printed command", () => {
  const ofAlarms = Object.entries(alarms).map(([name, { type }]) => ({
    where: `the alarm ${name}`,
    typed: `${type} --stage prod`,
  }));
  const ofPages = readCommandPages().flatMap(({ file, text }) =>
    [...text.matchAll(/^(?:\$ )?npx cometchat-functions (.+)$/gm)].map(([, typed = ""]) => ({
      where: file,
      typed,
    })),
  );

  it.each([...ofAlarms, ...ofPages].filter(({ typed }) => !isPlaceholder(typed)))(
    "exists with these options: $typed ($where)",
    async ({ typed }) => {
      expect(await mistakeIn(typed)).toBe("");
    },
  );
});

describe("a command in a sentence", () => {
  const names = new Set(commands.map(({ name }) => name.split(" ")[0]));
  const typed = readCommandPages().flatMap(({ file, text }) => [
    ...[...text.matchAll(/npx cometchat-functions ([^"`;)\n]+)/g)].map(([, words = ""]) => ({ file, words })),
    ...[...text.matchAll(/(?<!`)`([a-z-]+ [^`\n<]+)`(?!`)/g)]
      .map(([, words = ""]) => ({ file, words }))
      .filter(({ words }) => names.has(words.split(" ")[0])),
  ]);
  const mistakes = async () => {
    const found: string[] = [];
    for (const { file, words } of typed) {
      const known = words.replace(/[.:]$/, "");
      const mistake = isPlaceholder(known) ? "" : await mistakeIn(known);
      // A sentence may leave out values.
      if (!/^$|missing/.test(mistake)) found.push(`${file}: ${words}: ${mistake}`);
    }
    return found;
  };

  it("exists with these options", async () => {
    expect(typed.length).toBeGreaterThan(100);
    expect(await mistakes()).toEqual([]);
  });
});

/** Commands with a choice for the reader (`<command>`), npm's, and separate programs (cli/bin.mjs). */
function isPlaceholder(typed: string) {
  return /^([<[$]|$|init|package|config|demo|platform|my-app)/.test(typed) || typed.includes("--help");
}

/** The program's error for a command line; empty if it accepts it. */
async function mistakeIn(typed: string) {
  const words = toWords(typed.replace(/ <<\w+$| [|<>] .*$| #.*$/, "").replaceAll(/<[^>]*>/g, "x"));
  return readArguments(words, commands, { stdout: { write: () => {} } }).then(
    () => "",
    (error: Error) => error.message,
  );
}

/** As GitHub makes anchors of headings. */
function slugOf(heading: string) {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");
}
