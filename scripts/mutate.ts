import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { minimumScore, mutatedFiles } from "../test/mutation/mutated-files.ts";

// npm run mutate                     mutates every file of the list
// npm run mutate -- --changed        those that are changed since the branch began, or by the last commit
// npm run mutate -- --since <ref>    those that are changed since a commit
const root = join(import.meta.dirname, "..");
const { changed, since } = parseArgs({
  options: { changed: { type: "boolean", default: false }, since: { type: "string" } },
}).values;

const listed = Object.values(mutatedFiles).flat();
const base = since ?? (changed ? findBase() : undefined);
const files = base === undefined ? listed : touchedSince(base);
if (files.length === 0) console.log(`Nothing to mutate: no file of the list has changed since ${base}.`);
else await mutate(files);

async function mutate(files: readonly string[]): Promise<void> {
  console.log(`Mutating ${files.join(", ")}`);
  const mutants = await new Stryker({ mutate: [...files] }).runMutationTest();
  for (const [group, members] of Object.entries(mutatedFiles)) {
    const judged = mutants.filter(({ fileName }) => includes(members, relative(root, fileName)));
    const count = (...statuses: string[]) => judged.filter(({ status }) => statuses.includes(status)).length;
    const noticed = count("Killed", "Timeout");
    const all = noticed + count("Survived", "NoCoverage");
    if (all === 0) continue;
    const score = (100 * noticed) / all;
    console.log(`${group.padEnd(20)}${score.toFixed(1).padStart(6)} %  ${noticed} of ${all} mutants noticed`);
    if (score >= minimumScore) continue;
    console.error(`The tests of ${group} notice less than ${minimumScore} %. See docs/mutation.md.`);
    process.exitCode = 1;
  }
}

/** Where the branch began, or the commit before on the main branch; undefined when the history is not there. */
function findBase(): string | undefined {
  const head = git("rev-parse", "HEAD");
  for (const main of ["origin/main", "main"]) {
    const base = git("merge-base", "HEAD", main);
    if (base !== undefined && base !== head) return base;
  }
  return git("rev-parse", "HEAD~1");
}

/** The files of the list that are changed, or that a changed unit test imports: a test may have become weaker. */
function touchedSince(base: string): readonly string[] {
  const diff = git("diff", "--name-only", base);
  if (diff === undefined) throw new Error(`There is no commit ${base}. Name one that this clone has.`);
  const changedFiles = new Set(
    [diff, git("ls-files", "--others", "--exclude-standard") ?? ""].join("\n").split("\n"),
  );
  const imported = [...changedFiles].filter((file) => file.startsWith("test/unit/")).flatMap(importsOf);
  return listed.filter((file) => changedFiles.has(file) || imported.includes(file));
}

function importsOf(file: string): readonly string[] {
  if (!existsSync(join(root, file))) return [];
  const specifiers = readFileSync(join(root, file), "utf8").matchAll(/from "(\.[^"]+)"/g);
  return [...specifiers].map(([, specifier = ""]) => join(file, "..", specifier));
}

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

function includes(list: readonly string[], text: string): boolean {
  return list.includes(text);
}
