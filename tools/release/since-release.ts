import { git } from "./git.ts";

/** As in tools/package/copy-files.ts. */
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

export type SinceRelease =
  | { readonly kind: "told" | "unchanged" }
  /** The clone begins after the version was set. */
  | { readonly kind: "unknown" }
  | { readonly kind: "untold"; readonly commit: string };

/**
 * Without a file in changes/. The release is the commit that set the version, not its tag: a clone may have
 * no tags, and a release is checked before it is tagged.
 * @throws Error with git's message if it fails
 */
export function changesSinceRelease(
  root: string,
  version: string,
  changes: readonly unknown[],
): SinceRelease {
  if (changes.length > 0) return { kind: "told" };
  const search = ["log", "-1", "--format=%H %P", `-S"version": "${version}"`, "--", "package.json"];
  const [commit = "", parent] = git(root, search).split(" ");
  // A shallow clone's first commit seems to have set everything.
  if (commit === "" || (parent === undefined && isShallow(root))) return { kind: "unknown" };
  const changed = git(root, ["diff", "--name-only", commit, "--", ...published]);
  return changed === "" ? { kind: "unchanged" } : { kind: "untold", commit: commit.slice(0, 10) };
}

function isShallow(root: string): boolean {
  return git(root, ["rev-parse", "--is-shallow-repository"]) === "true";
}

/** Except for changes/. */
export function uncommitted(root: string): string {
  return git(root, ["status", "--porcelain", "--untracked-files=no", "--", ".", ":!changes"]);
}
