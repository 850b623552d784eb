import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { readArguments, readCount, UsageError } from "../build/read-arguments.ts";
import { type MutationGroup, minimumScore, mutationGroups } from "../test/mutation/mutated-files.ts";
import { askGit } from "./release/git.ts";
import { touchedFiles } from "./touched-files.ts";

const root = join(import.meta.dirname, "..");
const groups: readonly (readonly [string, MutationGroup])[] = Object.entries(mutationGroups);

const usage = `
Usage: npm run mutate -- [<group>]… [--changed | --since <commit>] [--most <files>]

Mutate every file of the list, or of the named groups, and check that a test fails.

  --changed         only files changed since the branch began, or by the last commit
  --since <commit>  only files changed since a commit
  --most <files>    at most this many files, the first of the list; prints the others
  -h, --help        print this help
`;

const options = {
  changed: { type: "boolean", default: false },
  since: { type: "string" },
  most: { type: "string" },
} as const;
const asked = readArguments(usage, (args) => {
  const { values, positionals: names } = parseArgs({ args, options, allowPositionals: true });
  const { changed, since, most } = values;
  const unknown = names.filter((name) => !groups.some(([group]) => group === name));
  if (unknown.length > 0) {
    const known = Object.keys(mutationGroups).join(", ");
    throw new UsageError(`There is no group ${unknown.join(", ")}. There is ${known}.`);
  }
  if (changed && since !== undefined) throw new UsageError("--changed and --since exclude each other.");
  return {
    names,
    changed,
    since,
    most: most === undefined ? Number.POSITIVE_INFINITY : readCount("most", most),
  };
});
const named = groups.filter(([name]) => asked.names.length === 0 || asked.names.includes(name));
const touched = readTouched(named.flatMap(([, { files }]) => files));
const chosen = touched.slice(0, asked.most);
const left = touched.slice(asked.most);
for (const [name, { files, tests }] of named) {
  const mutated = files.filter((file) => chosen.includes(file));
  if (mutated.length > 0) await mutate(name, mutated, tests);
}
if (left.length > 0) console.log(`Left for \`npm run mutate\`: ${left.join(", ")}`);

/** The listed files to mutate: all, or those that a change touches. */
function readTouched(listed: readonly string[]): readonly string[] {
  if (!asked.changed && asked.since === undefined) return listed;
  const base = asked.since ?? findBase();
  if (base === undefined) {
    console.log("Nothing to mutate: this clone has one commit alone, and nothing to compare it with.");
    return [];
  }
  const found = touchedFiles(listed, changedSince(base), readText);
  if (found.length === 0) {
    console.log(`Nothing to mutate: no file of the list has changed since ${base}.`);
  }
  return found;
}

async function mutate(group: string, files: readonly string[], tests: readonly string[]): Promise<void> {
  console.log(`Mutating ${group}: ${files.join(", ")}`);
  // The processes that run the tests inherit it (test/mutation/vitest.config.ts).
  process.env.MUTATION_TESTS = tests.join(" ");
  const incrementalFile = `.stryker/${group.replaceAll(" ", "-")}.json`;
  const mutants = await new Stryker({ mutate: [...files], incrementalFile }).runMutationTest();
  const countOf = (...wanted: readonly string[]) =>
    mutants.filter(({ status }) => wanted.includes(status)).length;
  const noticed = countOf("Killed", "Timeout");
  const missed = countOf("Survived", "NoCoverage");
  if (noticed + missed === 0) return;
  const score = (100 * noticed) / (noticed + missed);
  console.log(
    `${group.padEnd(16)}${score.toFixed(1).padStart(6)} %  ${missed} of ${noticed + missed} mutants unnoticed`,
  );
  if (score >= minimumScore) return;
  console.error(`The tests of ${group} notice less than ${minimumScore} %. See docs/internals/mutation.md.`);
  process.exitCode = 1;
}

/** The branch point, or the previous commit on the main branch; undefined if the clone lacks it. */
function findBase(): string | undefined {
  const head = git("rev-parse", "HEAD");
  for (const main of ["origin/main", "main"]) {
    const base = git("merge-base", "HEAD", main);
    if (base !== undefined && base !== head) return base;
  }
  return git("rev-parse", "HEAD~1");
}

/** Includes uncommitted files. */
function changedSince(base: string): readonly string[] {
  const changes = git("diff", "--name-only", base);
  if (changes === undefined) throw new Error(`This clone has no commit ${base}. Name one that it has.`);
  const added = git("ls-files", "--others", "--exclude-standard") ?? "";
  return `${changes}\n${added}`.split("\n").filter((path) => path !== "");
}

function readText(path: string): string | undefined {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Returns undefined if git fails. */
function git(...args: readonly string[]): string | undefined {
  return askGit(root, args);
}
