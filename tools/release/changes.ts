import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod/mini";

const kinds = ["added", "changed", "deprecated", "removed", "fixed", "security"] as const;

/** Least first (docs/internals/releases.md). */
const bumps = ["patch", "minor", "major"] as const;

const headSchema = z.strictObject({ kind: z.enum(kinds), bump: z.enum(bumps) });

/** A change since the last release, in Markdown for users. */
export interface Change extends z.infer<typeof headSchema> {
  /** For example `.changes/typed-raw-requests.md`. */
  readonly file: string;
  readonly text: string;
}

/** Reads by name. @throws Error that names the file and what it lacks */
export function readChanges(root: string): readonly Change[] {
  const files = globSync(".changes/*.md", { cwd: root }).filter((file) => !file.endsWith("README.md"));
  return files.sort().map((file) => {
    const content = readFileSync(join(root, file), "utf8").replaceAll("\r\n", "\n");
    const [, head = "", text = ""] = /^---\n(.*?)\n---\n+(\S.*)$/s.exec(content) ?? [];
    try {
      return { file, text: text.trim(), ...headSchema.parse(parse(head)) };
    } catch (cause) {
      throw new Error(
        `${file} is not a change file: it must begin with "---", "kind: ${kinds.join(" | ")}", "bump: ${bumps.join(" | ")}", "---", followed by the change in Markdown.`,
        { cause },
      );
    }
  });
}

/**
 * While the first number is 0, a breaking change raises the second: `^0.2.0` excludes 0.3.0.
 * @throws Error if there is no change
 * @see https://semver.org/spec/v2.0.0.html#spec-item-4
 */
export function nextVersion(version: string, changes: readonly Change[]): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const largest = bumps.findLast((bump) => changes.some((change) => change.bump === bump));
  if (largest === undefined)
    throw new Error("Nothing changed since the last release: .changes/ holds no file.");
  if (largest === "major" && major > 0) return `${major + 1}.0.0`;
  return largest === "patch" ? `${major}.${minor}.${patch + 1}` : `${major}.${minor + 1}.0`;
}

/** @see https://keepachangelog.com/en/1.1.0/ */
export function writeSection(version: string, changes: readonly Change[]): string {
  const parts = kinds.flatMap((kind) => {
    const items = changes
      .filter((change) => change.kind === kind)
      .map(({ text, bump }) =>
        `- ${bump === "major" ? "**Breaking.** " : ""}${text}`.replaceAll("\n", "\n  "),
      );
    if (items.length === 0) return [];
    return [`### ${kind.charAt(0).toUpperCase()}${kind.slice(1)}\n\n${items.join("\n")}\n`];
  });
  return `## ${version} - ${new Date().toISOString().slice(0, 10)}\n\n${parts.join("\n")}`;
}
