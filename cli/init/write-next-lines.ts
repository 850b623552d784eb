import { shellText } from "../shell-text.ts";

export function writeNextLines(folder: string, { isInstalled = false } = {}): string {
  const lines = folder === "." ? [] : [`cd ${cdWord(folder)}`];
  if (!isInstalled) lines.push("npm install");
  lines.push("npm start         # all on this machine, with a console", "npm test");
  return lines.map((line) => `  ${line}`).join("\n");
}

function cdWord(folder: string): string {
  if (folder.startsWith("-")) return cdWord(`./${folder}`);
  if (/^[\w./-]+$/.test(folder)) return folder;
  // Elsewhere all shells read double quotes alike.
  return /["$`\\!]/.test(folder) ? shellText(folder) : `"${folder}"`;
}
