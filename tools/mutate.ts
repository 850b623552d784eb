import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { readArguments, readCount, UsageError } from "../build/read-arguments.ts";
import { type MutationGroup, mutationGroups } from "../test/mutation/mutated-files.ts";
import { askGit } from "./release/git.ts";

const root = join(import.meta.dirname, "..");

const usage = `
Usage: npm run mutate -- [<group>]… [--part <k>/<n>] [--changed] [--most <files>]

Mutate every file of the list, or of the named groups, and check that a test fails.

  --part <k>/<n>  every n-th group, from the k-th on: n parts are all of them
  --changed       only files changed since the branch began, or by the last commit
  --most <files>  at most this many files, the first of the list; prints the others
  -h, --help      print this help
`;

const options = { part: { type: "string" }, changed: { type: "boolean" }, most: { type: "string" } } as const;
const { names, part, changed, most } = readArguments(usage, (args) => {
  const { values, positionals: names } = parseArgs({ args, options, allowPositionals: true });
  const unknown = names.filter((name) => !Object.hasOwn(mutationGroups, name));
  if (unknown.length > 0) {
    const known = Object.keys(mutationGroups).join(", ");
    throw new UsageError(`There is no group ${unknown.join(", ")}. There is ${known}.`);
  }
  const most = values.most === undefined ? undefined : readCount("most", values.most);
  const part = readPart(values.part ?? "1/1");
  return { names, part, changed: values.changed ? changedFiles() : undefined, most };
});
const groups: readonly (readonly [string, MutationGroup])[] = Object.entries(mutationGroups).filter(
  ([name], index) =>
    (names.length === 0 || names.includes(name)) && (index + 1) % part.of === part.at % part.of,
);
const listed = groups
  .flatMap(([, { files }]) => files)
  .filter((file) => changed === undefined || changed.includes(file));
const chosen = listed.slice(0, most);
for (const [name, { files, tests }] of groups) {
  const mutated = files.filter((file) => chosen.includes(file));
  if (mutated.length > 0) await mutate(name, mutated, tests);
}
if (chosen.length === 0) console.log("Nothing to mutate: no file of the list has changed.");
if (chosen.length < listed.length)
  console.log(`Left for \`npm run mutate\`: ${listed.slice(chosen.length).join(", ")}`);

async function mutate(group: string, files: readonly string[], tests: readonly string[]) {
  console.log(`Mutating ${group}: ${files.join(", ")}`);
  // Test processes inherit it (test/mutation/vitest.config.ts).
  process.env.MUTATION_TESTS = tests.join(" ");
  const incrementalFile = `.stryker/${group.replaceAll(" ", "-")}.json`;
  await new Stryker({ mutate: [...files], incrementalFile }).runMutationTest();
}

function readPart(text: string): { readonly at: number; readonly of: number } {
  const [, at = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (at >= 1 && at <= of) return { at, of };
  throw new UsageError(`--part takes a part of all, such as 2/7, not "${text}".`);
}

/** Lists files changed since the branch point, or on the main branch the previous commit, or uncommitted. */
function changedFiles(): readonly string[] {
  const git = (...args: readonly string[]) => askGit(root, args);
  const head = git("rev-parse", "HEAD");
  const base = ["origin/main", "main"]
    .map((main) => git("merge-base", "HEAD", main))
    .find((found) => found !== undefined && found !== head);
  return git("diff", "--name-only", base ?? "HEAD~1")?.split("\n") ?? []; // a clone of one commit has none
}
