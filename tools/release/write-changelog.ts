import { type Change, changeKinds } from "./read-changes.ts";

/**
 * At the top, below the introduction.
 * @param date `2026-11-22`
 * @see https://keepachangelog.com/en/1.1.0/
 */
export function writeChangelog(
  changelog: string,
  release: { readonly version: string; readonly date: string; readonly changes: readonly Change[] },
): string {
  const first = changelog.indexOf("\n## ");
  const at = first === -1 ? changelog.length : first + 1;
  return `${changelog.slice(0, at)}${writeSection(release)}\n${changelog.slice(at)}`;
}

function writeSection({ version, date, changes }: Parameters<typeof writeChangelog>[1]): string {
  const parts = changeKinds.flatMap((kind) => {
    const told = changes.filter((change) => change.kind === kind);
    if (told.length === 0) return [];
    return [`### ${kind[0]?.toUpperCase()}${kind.slice(1)}\n\n${told.map(writeItem).join("\n")}\n`];
  });
  return `## ${version} - ${date}\n\n${parts.join("\n")}`;
}

/** Whatever the version's first number is. */
function writeItem({ text, bump }: Change): string {
  const told = bump === "major" ? `**Breaking.** ${text}` : text;
  return `- ${told.replaceAll("\n", "\n  ").replace(/[ ]+$/gm, "")}`;
}
