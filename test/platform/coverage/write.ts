import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { buildLedger, type CoverageRow, readCoverage } from "../../../local/platform/ledger/rows.ts";

// Writes the table of coverage from the tests' real actions: `npx node test/platform/coverage/write.ts`, then
// `npx node local/platform/ledger/write.ts`. A declared test that is still correct stays.

type Doing = { file: string; test: string; ids: string[] };

const wanted = new Set<string>();
buildLedger((id) => {
  wanted.add(id);
  return undefined;
});
const doing = record();
const rows = [...wanted].map(choose).filter((row) => row !== undefined);
writeFileSync(new URL("../../../local/platform/ledger/coverage.txt", import.meta.url), render(rows));
const missing = [...wanted].filter((id) => !rows.some((row) => row.id === id));
process.stdout.write(`${rows.length} rows are covered. ${missing.length} are not: ${missing.join(", ")}\n`);

function record(): Doing[] {
  const folder = mkdtempSync(join(tmpdir(), "coverage-"));
  const vitest = new URL("../../../node_modules/vitest/vitest.mjs", import.meta.url).pathname;
  const files = [
    "test/platform",
    ...["attachments", "operations", "extension-settings"].map((name) => `test/contract/${name}.test.ts`),
  ];
  spawnSync(process.execPath, [vitest, "run", "--isolate", ...files], {
    env: { ...process.env, COVERAGE_RECORD: folder },
    stdio: "ignore",
  });
  const at = join(folder, "seen.jsonl");
  const lines = existsSync(at) ? readFileSync(at, "utf8").trim().split("\n") : [];
  rmSync(folder, { recursive: true });
  return lines.map((line) => JSON.parse(line));
}

// Prefers a test that names the row, and then the test with the fewest actions.
function choose(id: string): CoverageRow | undefined {
  const candidates = doing.filter(({ ids }) => ids.includes(id));
  const declared = readCoverage().find((row) => row.id === id);
  const kept = candidates.find(({ file, test }) => file === declared?.file && test === declared.test);
  const name = id.slice(id.lastIndexOf(" ") + 1);
  const isNamedIn = ({ test }: Doing) => test.includes(name);
  const [best] = candidates.toSorted(
    (one, other) =>
      Number(isNamedIn(other)) - Number(isNamedIn(one)) ||
      one.ids.length - other.ids.length ||
      one.file.localeCompare(other.file) ||
      one.test.localeCompare(other.test),
  );
  const chosen = kept ?? best;
  return chosen === undefined ? undefined : { id, file: chosen.file, test: chosen.test };
}

function render(table: readonly CoverageRow[]) {
  const lines = ["# Which test makes the platform do what; see rows.ts for the form.", ""];
  for (const [file, own] of gather(table, (row) => row.file)) {
    lines.push(file);
    for (const [test, ids] of gather(own, (row) => row.test)) {
      lines.push(`  ${test}`, ...ids.map(({ id }) => `    ${id}`));
    }
  }
  return `${lines.join("\n")}\n`;
}

function gather<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  return [...Map.groupBy(items, keyOf)].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
