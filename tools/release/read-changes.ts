import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod/mini";

export const changeKinds = ["added", "changed", "deprecated", "removed", "fixed", "security"] as const;

/** Least first (docs/internals/releases.md). */
export const bumps = ["patch", "minor", "major"] as const;

export type ChangeKind = (typeof changeKinds)[number];
export type Bump = (typeof bumps)[number];

/** Since the last release, described for users. */
export interface Change {
  /** `changes/typed-raw-requests.md` */
  readonly file: string;
  readonly kind: ChangeKind;
  readonly bump: Bump;
  /** Markdown. */
  readonly text: string;
}

const headSchema = z.strictObject({ kind: z.enum(changeKinds), bump: z.enum(bumps) });
const form = /^---\n(.*?)\n---\n+(\S.*)$/s;

/**
 * By name.
 * @throws Error that names the file and what it lacks
 */
export function readChanges(root: string): readonly Change[] {
  const files = globSync("changes/*.md", { cwd: root }).filter((file) => !file.endsWith("README.md"));
  return files.sort().map((file) => readChange(file, readFileSync(join(root, file), "utf8")));
}

/** @throws Error that names the file and what it lacks */
export function readChange(file: string, content: string): Change {
  const [, head = "", text = ""] = form.exec(content.replaceAll("\r\n", "\n")) ?? [];
  const read = z.safeParse(headSchema, parseHead(head));
  if (read.success && text !== "") return { file, ...read.data, text: text.trim() };
  throw new Error(
    `${file} is not a change file: it must begin with "---", "kind: ${changeKinds.join(" | ")}", "bump: ${bumps.join(" | ")}", "---", followed by the change in Markdown.`,
  );
}

function parseHead(head: string): unknown {
  try {
    return parse(head);
  } catch {
    return undefined;
  }
}
