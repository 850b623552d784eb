import { execFileSync } from "node:child_process";

/** Gives what git prints in a folder. @throws Error with git's words when it refuses */
export function git(root: string, args: readonly string[]): string {
  return execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

/** Gives what git prints in a folder; undefined when it refuses. */
export function askGit(root: string, args: readonly string[]): string | undefined {
  try {
    return git(root, args);
  } catch {
    return undefined;
  }
}
