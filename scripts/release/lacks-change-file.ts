import { askGit, git } from "./git.ts";

/** What the package is made of (scripts/package/copy-files.ts). */
const published = [
  "cli",
  "config",
  "functions",
  "infrastructure",
  "lib",
  "local",
  "package",
  "scripts",
  "serverless.yml",
  ...["package/api", "package/tools", "scripts/client-types", "scripts/package", "scripts/release"].map(
    (own) => `:!${own}`,
  ),
];

/**
 * Tells since which release the published files changed while changes/ tells of nothing; undefined when all is told.
 * @throws Error for a clone without history, in which no release can be found
 */
export function lacksChangeFile(root: string, changes: readonly unknown[]): string | undefined {
  if (changes.length > 0) return undefined;
  const tag = lastRelease(root);
  if (tag === undefined) {
    if (git(root, ["rev-parse", "--is-shallow-repository"]) === "false") return undefined;
    throw new Error(
      "This clone has too little history to find the last release in: git fetch --unshallow --tags",
    );
  }
  return git(root, ["diff", "--name-only", tag, "--", ...published]) === "" ? undefined : tag;
}

/** Gives the newest tag of a release that is an ancestor of what is checked out; undefined where there is none. */
export function lastRelease(root: string): string | undefined {
  return askGit(root, ["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"]);
}

/** Tells what is not committed, besides files of changes/; empty when all is. */
export function uncommitted(root: string): string {
  return git(root, ["status", "--porcelain", "--untracked-files=no", "--", ".", ":!changes"]);
}
