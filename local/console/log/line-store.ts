import { type LogLine, readLogLine } from "../../../cli/see/log-line.ts";
import { firstId } from "../../stack/first-id.ts";
import type { WorldNews } from "../../stack/world-news.ts";

export interface KeptLine {
  readonly id: number;
  readonly atMs: number;
  readonly functionKey: string;
  readonly text: string;
  readonly read: () => LogLine;
}

export interface LineStore {
  /** Oldest first. */
  readonly lines: readonly KeptLine[];
  find(id: number): KeptLine | undefined;
  forget(isToGo: (line: KeptLine) => boolean): void;
  close(): void;
}

const mostLines = 20_000;
const mostCharacters = 50_000_000;
/** CloudWatch cuts at 256 KB; the page needs less. */
const longestLine = 65_536;

export function keepLines(
  { subscribe }: { subscribe(listener: (news: WorldNews) => void): () => void },
  { most = mostLines, characters: mostKept = mostCharacters, startsAfter = firstId() } = {},
): LineStore {
  let lines: KeptLine[] = [];
  let lastId = startsAfter;
  let characters = 0;
  const close = subscribe((news) => {
    if (news.kind !== "line" && news.kind !== "lambdaLine") return;
    lastId += 1;
    const kept = toKept(lastId, news);
    lines.push(kept);
    characters += kept.text.length;
    if (lines.length < most * 1.1 && characters < mostKept * 1.1) return;
    // In batches, because removing the first element moves all others.
    let gone = Math.max(0, lines.length - most);
    for (const { text } of lines.slice(0, gone)) characters -= text.length;
    for (; characters > mostKept && gone < lines.length - 1; gone += 1) {
      characters -= lines[gone]?.text.length ?? 0;
    }
    lines = lines.slice(gone);
  });
  return {
    get lines() {
      return lines.slice(-most);
    },
    find: (id) => lines.findLast((line) => line.id === id),
    forget(isToGo) {
      lines = lines.filter((line) => !isToGo(line));
      characters = lines.reduce((sum, { text }) => sum + text.length, 0);
    },
    close,
  };
}

function toKept(
  id: number,
  { functionKey, line, atMs }: { functionKey: string; line: string; atMs: number },
): KeptLine {
  const text = line.length > longestLine ? `${line.slice(0, longestLine)} …` : line;
  let known: LogLine | undefined;
  const read = () => {
    known ??= readLogLine({ eventId: String(id), atMs, source: functionKey, text });
    return known;
  };
  return { id, atMs, functionKey, text, read };
}
