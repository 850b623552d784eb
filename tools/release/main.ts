import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import * as z from "zod/mini";
import { readArguments, UsageError } from "../../build/read-arguments.ts";
import { describeError, showForeignMessages } from "../../lib/base/describe-error.ts";
import { nextVersion } from "./next-version.ts";
import { type Change, readChanges } from "./read-changes.ts";
import { setVersion } from "./set-version.ts";
import { changesSinceRelease, uncommitted } from "./since-release.ts";
import { writeChangelog } from "./write-changelog.ts";

showForeignMessages();
const root = join(import.meta.dirname, "../..");

const usage = `
Usage: npm run release [-- --dry-run | --check]

Make a release of changes/: set the next version everywhere, and write the changelog. You commit and tag it.

  --dry-run   show what it would write
  --check     fail if published files changed since the last release and changes/ is empty
  -h, --help  print this help
`;

const options = { "dry-run": { type: "boolean" }, check: { type: "boolean" } } as const;
const mode = readArguments(usage, (args) => {
  const { check, "dry-run": dryRun } = parseArgs({ args, options }).values;
  if (check && dryRun) throw new UsageError("--check and --dry-run exclude each other.");
  return check ? "check" : dryRun ? "dry-run" : "release";
});

try {
  process.stdout.write(`${run()}\n`);
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}

function run(): string {
  const changes = readChanges(root);
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { version: from } = z.parse(z.object({ version: z.string() }), manifest);
  if (mode === "check") return check(from, changes);
  const left = uncommitted(root);
  if (mode === "release" && left !== "")
    throw new Error(
      `Commit this first, or take it back with git restore if a release broke off; otherwise it becomes part of the release:\n${left}`,
    );
  const version = nextVersion(
    from,
    changes.map(({ bump }) => bump),
  );
  const file = join(root, "CHANGELOG.md");
  const date = new Date().toISOString().slice(0, 10);
  const changelog = writeChangelog(readFileSync(file, "utf8"), { version, date, changes });
  if (mode === "dry-run")
    return `${from} → ${version}\n\n${changelog.slice(changelog.indexOf(`## ${version}`)).split("\n## ")[0]}`;
  setVersion(root, from, version);
  writeFileSync(file, changelog);
  for (const change of changes) rmSync(join(root, change.file));
  return `Version ${version}. Look at the changelog, then: git commit -am "Release ${version}" && git tag -a v${version} -m "Release ${version}" && git push --follow-tags`;
}

function check(version: string, changes: readonly Change[]): string {
  const since = changesSinceRelease(root, version, changes);
  if (since.kind === "untold") {
    throw new Error(
      `Published files changed since ${version} (${since.commit}), and changes/ is empty. Add a file there: see changes/README.md.`,
    );
  }
  return since.kind === "unknown"
    ? `Not checked: this clone begins after ${version} was set, so the changes since are unknown. Fetch the rest: git fetch --unshallow`
    : `Changes that wait for a release: ${changes.length}.`;
}
