import { type DoorMeasure, isInstalledWithIt, measureText } from "./measure-doors.ts";

/** What is usually made of a door, as the text of a module that a bundler is given. */
export const uses = {
  "a client for messages only":
    'import { composeChatClient, messages } from "./package/chat.js"; export const chat = composeChatClient({ appId: "a", apiKey: "k" }, { messages });',
  "the client with every family":
    'import { createChatClient } from "./package/chat.js"; export const chat = createChatClient({ appId: "a", apiKey: "k" });',
  "the parser of events": 'export { parseEvent, identify } from "./package/events.js";',
  "a receiver with a store of one's own": 'export { createWebhookReceiver } from "./package/webhook.js";',
  "a trigger":
    'import { onTrigger } from "./package/triggers.js"; export const act = onTrigger("message_sent", async () => {});',
  "a trigger with a pattern":
    'import { onTrigger, textPattern } from "./package/triggers.js"; export const act = onTrigger("message_sent", { where: { text: textPattern("refund") } }, async () => {});',
} as const;

/** Writes a table of the doors for docs/package.md. */
export function doorTable(measures: readonly DoorMeasure[]): string {
  return [
    "| Door | Loads at once | Loads where it is asked for | Modules | Bundled | gzip | all, gzip |",
    "|---|---|---|---|---|---|---|",
    ...measures.map(({ door, modules, atOnce, onDemand, bytes, gzipBytes, wholeGzipBytes }) => {
      const cells = [
        `\`/${door}\``,
        nameAll(atOnce),
        nameAll(onDemand),
        modules,
        toKb(bytes),
        toKb(gzipBytes),
        toKb(wholeGzipBytes),
      ];
      return `| ${cells.join(" | ")} |`;
    }),
  ].join("\n");
}

/** Bundles each use of a built package and writes a table of them for docs/package.md. */
export async function useTable(dist: string): Promise<string> {
  const rows = await Promise.all(
    Object.entries(uses).map(async ([use, text]) => {
      const { bytes, gzipBytes } = await measureText(dist, text);
      return `| ${use} | ${toKb(bytes)} | ${toKb(gzipBytes)} |`;
    }),
  );
  return ["| In a bundle | Minified | gzip |", "|---|---|---|", ...rows].join("\n");
}

function nameAll(packages: readonly string[]): string {
  if (packages.length === 0) return "–";
  return packages.map((name) => (isInstalledWithIt(name) ? name : `${name} (peer)`)).join(", ");
}

function toKb(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
