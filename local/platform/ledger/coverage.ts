import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Level } from "../fidelity.ts";
import { defined } from "../json.ts";
import { type CoveringTest, levels } from "./markdown.ts";

/** `id` is a kind and a name: `route chat send-message` */
export type CoverageRow = CoveringTest & { id: string };

/** Returns what finds the test of an id. */
export function findCoveringTest(): (id: string) => CoveringTest | undefined {
  const byId = new Map(readCoverage().map(({ id, file, test }) => [id, { file, test }]));
  return (id) => byId.get(id);
}

/** The file of tests, below it each test, below that what it covers. */
export function readCoverage(): CoverageRow[] {
  let file = "";
  let test = "";
  return linesOf("coverage.txt").flatMap(({ depth, text }) => {
    if (depth === 0) file = text;
    if (depth === 1) test = text;
    return depth === 2 ? [{ id: text, file, test }] : [];
  });
}

/** Its answer has other keys or types than the printed example. */
export type DifferingAnswer = { id: string; reason: string; differences: string[] };

/** A reason, below it each operation, below that each difference. */
export function readDiffering(): DifferingAnswer[] {
  const rows: DifferingAnswer[] = [];
  let reason = "";
  for (const { depth, text } of linesOf("differing.txt")) {
    if (depth === 0) reason = text;
    else if (depth === 1) rows.push({ id: text, reason, differences: [] });
    else rows.at(-1)?.differences.push(text);
  }
  return rows;
}

/**
 * What is known of an event, or of another call to customers' servers. `covered` is its id in the table of
 * coverage.
 */
type Fact = { kind: string; level: Level; source: string; id: string; covered?: string; notes: string[] };

/** Reads what is known of events and other calls. */
export function readFacts(): Fact[] {
  const facts: Fact[] = [];
  for (const { depth, text } of linesOf("facts.txt")) {
    const [head = "", id = "", covered] = text.split(" - ");
    const [kind = "", known, source = ""] = head.split(" ");
    const level = levels.find((name) => name.replace(" ", "-") === known) ?? "assumed";
    if (depth > 0) facts.at(-1)?.notes.push(text);
    else
      facts.push({
        kind,
        level,
        source: source.replaceAll(",", ", "),
        id,
        ...defined({ covered }),
        notes: [],
      });
  }
  return facts;
}

// The lines of a list that are no comments. Two blanks of indentation are one step of depth.
function linesOf(name: string) {
  const at = new URL(name, import.meta.url);
  if (!existsSync(at)) return [];
  return readFileSync(at, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ depth: line.search(/\S/) / 2, text: line.trim() }));
}

export type SourceFile = { path: string; text: string };

/** Reads the sources of the emulation, without the ledger and the tables that only name things. */
export function readSources(): SourceFile[] {
  return readFolder("local/platform").filter(
    ({ path }) => !path.startsWith("local/platform/ledger/") && !tables.includes(path),
  );
}

/** In quotes of any kind or between backticks. */
export function filesNaming(files: readonly SourceFile[], word: string): string[] {
  const pattern = new RegExp(`["'\`]${word}["'\`]`);
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

function readFolder(folder: string) {
  const at = join(root, folder);
  if (!existsSync(at)) return [];
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => ({ path: path.slice(root.length), text: readFileSync(path, "utf8") }));
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const tables = ["local/platform/errors/error-table.ts", "local/platform/webhooks/trigger-table.ts"];
