import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { readArguments, UsageError } from "../../build/read-arguments.ts";
import { describeError, showForeignMessages } from "../../lib/base/describe-error.ts";
import { version } from "../../lib/base/version.ts";
import { nextVersion, readChanges, writeSection } from "./changes.ts";
import { git } from "./git.ts";

showForeignMessages();
const root = join(import.meta.dirname, "../..");

const usage = `
Usage: npm run release [-- --dry-run | --check]

Make a release of .changes/: set the next version everywhere, and write the changelog. You commit and tag it.

  --dry-run   show what it would write
  --check     fail if published files changed since the last release and .changes/ is empty
  -h, --help  print this help
`;

const options = { "dry-run": { type: "boolean" }, check: { type: "boolean" } } as const;
const mode = readArguments(usage, (args) => {
  const { check, "dry-run": dryRun } = parseArgs({ args, options }).values;
  if (check && dryRun) throw new UsageError("--check and --dry-run exclude each other.");
  return check ? "check" : dryRun ? "dry-run" : "release";
});

try {
  process.stdout.write(`${mode === "check" ? check() : release()}\n`);
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}

function release() {
  const uncommitted = ["status", "--porcelain", "--untracked-files=no", "--", ".", ":!changes"];
  const left = mode === "release" ? git(root, uncommitted) : "";
  if (left !== "")
    throw new Error(
      `Commit this first, or take it back with git restore if a release broke off; otherwise it becomes part of the release:\n${left}`,
    );
  const changes = readChanges(root);
  const next = nextVersion(version, changes);
  const section = writeSection(next, changes);
  if (mode === "dry-run") return `${version} → ${next}\n\n${section}`;
  edit("CHANGELOG.md", /(?=\n## )|$/, `\n${section}`);
  const places = ["package.json", "package-lock.json", "lib/base/version.ts", "package/create/package.json"];
  for (const file of places) edit(file, `"${version}"`, `"${next}"`);
  edit("package-lock.json", `"version": "${version}"`, `"version": "${next}"`);
  edit("package/create/package.json", `"^${version}"`, `"^${next}"`); // it creates apps with the same release
  for (const { file } of changes) rmSync(join(root, file));
  return `Version ${next}. Look at the changelog, then: git commit -am "Release ${next}" && git tag -a v${next} -m "Release ${next}" && git push --follow-tags`;
}

function edit(file: string, old: string | RegExp, text: string) {
  const path = join(root, file);
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(old, () => text),
  );
}

/** Uses the commit that set the version, not its tag: a release is checked before it is tagged. */
function check() {
  const changes = readChanges(root);
  const search = ["log", "-1", "--format=%H", `-S"version": "${version}"`, "--", "package.json"];
  const commit = git(root, search);
  const published = ["cli", "config", "functions", "infrastructure", "lib", "local", "package", "build"];
  const pathspecs = [...published, "serverless.yml", ":!package/api"];
  const changed = commit === "" ? "" : git(root, ["diff", "--name-only", commit, "--", ...pathspecs]);
  if (changed === "" || changes.length > 0) return `Changes that wait for a release: ${changes.length}.`;
  throw new Error(
    `Published files changed since ${version} (${commit.slice(0, 10)}), and .changes/ is empty. Add a file there: see .changes/README.md.`,
  );
}
