import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { minimumScore, mutatedFiles } from "../test/mutation/mutated-files.ts";
import { touchedFiles } from "./touched-files.ts";

// npm run mutate                     mutates every file of the list
// npm run mutate -- --changed        those that are changed since the branch began, or by the last commit
// npm run mutate -- --since <ref>    those that are changed since a commit
const root = join(import.meta.dirname, "..");
const { changed, since } = parseArgs({
  options: { changed: { type: "boolean", default: false }, since: { type: "string" } },
}).values;

const listed = Object.values(mutatedFiles).flat();
const base = since ?? (changed ? findBase() : undefined);
const files = base === undefined ? listed : touchedFiles(listed, changedSince(base), readText);
if (files.length === 0) console.log(`Nothing to mutate: no file of the list has changed since ${base}.`);
else await mutate(files);

async function mutate(files: readonly string[]): Promise<void> {
  console.log(`Mutating ${files.join(", ")}`);
  const mutants = await new Stryker({ mutate: [...files] }).runMutationTest();
  for (const [group, members] of Object.entries(mutatedFiles)) {
    const names = new Set<string>(members);
    const statuses = mutants
      .filter(({ fileName }) => names.has(relative(root, fileName)))
      .map(({ status }) => status);
    const noticed = statuses.filter((status) => status === "Killed" || status === "Timeout").length;
    const missed = statuses.filter((status) => status === "Survived" || status === "NoCoverage").length;
    if (noticed + missed === 0) continue;
    const score = (100 * noticed) / (noticed + missed);
    console.log(
      `${group.padEnd(16)}${score.toFixed(1).padStart(6)} %  ${missed} of ${noticed + missed} mutants unnoticed`,
    );
    if (score >= minimumScore) continue;
    console.error(`The tests of ${group} notice less than ${minimumScore} %. See docs/mutation.md.`);
    process.exitCode = 1;
  }
}

/** Where the branch began, or the commit before on the main branch; undefined when the clone does not have it. */
function findBase(): string | undefined {
  const head = git("rev-parse", "HEAD");
  for (const main of ["origin/main", "main"]) {
    const base = git("merge-base", "HEAD", main);
    if (base !== undefined && base !== head) return base;
  }
  return git("rev-parse", "HEAD~1");
}

/** Files that are not committed yet count as changed, too. */
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

/** Gives undefined when git refuses. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}
