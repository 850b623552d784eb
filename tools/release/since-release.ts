import { git } from "./git.ts";

/** What the package is made of (tools/package/copy-files.ts). */
const published = [
  "cli",
  "config",
  "functions",
  "infrastructure",
  "lib",
  "local",
  "package",
  "build",
  "serverless.yml",
  ":!package/api",
];

/** What became of what is published since the version was set. */
export type SinceRelease =
  | { readonly kind: "told" | "unchanged" }
  /** The clone begins later than the version, so that nobody can say. */
  | { readonly kind: "unknown" }
  | { readonly kind: "untold"; readonly commit: string };

/**
 * Tells whether the published files changed since the last release while changes/ tells of nothing. The release is the commit that
 * set the version, not its tag: a clone may have no tags, and a release is checked before it has one.
 * @throws Error with git's words where it refuses
 */
export function changesSinceRelease(
  root: string,
  version: string,
  changes: readonly unknown[],
): SinceRelease {
  if (changes.length > 0) return { kind: "told" };
  const search = ["log", "-1", "--format=%H %P", `-S"version": "${version}"`, "--", "package.json"];
  const [commit = "", parent] = git(root, search).split(" ");
  // Where a clone was cut off, its first commit seems to have set everything.
  if (commit === "" || (parent === undefined && isShallow(root))) return { kind: "unknown" };
  const changed = git(root, ["diff", "--name-only", commit, "--", ...published]);
  return changed === "" ? { kind: "unchanged" } : { kind: "untold", commit: commit.slice(0, 10) };
}

function isShallow(root: string): boolean {
  return git(root, ["rev-parse", "--is-shallow-repository"]) === "true";
}

/** Tells what is not committed, besides files of changes/; empty when all is. */
export function uncommitted(root: string): string {
  return git(root, ["status", "--porcelain", "--untracked-files=no", "--", ".", ":!changes"]);
}
