import { type LogLine, readLogLine } from "../../../cli/see/log-line.ts";
import { firstId } from "../../stack/first-id.ts";
import type { WorldNews } from "../../stack/world-news.ts";

/** A line as the console keeps it; understood when somebody first looks at it. */
export interface KeptLine {
  readonly id: number;
  readonly atMs: number;
  readonly functionKey: string;
  readonly text: string;
  /** What it says; an object of its own is made once. */
  readonly read: () => LogLine;
}

/** What the functions wrote lately. */
export interface LineStore {
  /** Oldest first. */
  readonly lines: readonly KeptLine[];
  find(id: number): KeptLine | undefined;
  close(): void;
}

const mostLines = 20_000;
const mostCharacters = 50_000_000;
/** Lambda cuts an event of CloudWatch's at 256 KB; a line of that length is nothing that anybody reads here. */
const longestLine = 65_536;

/** Keeps what functions write from now on; the oldest lines go first. */
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
    // Some at a time: taking each off the front would move all others.
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
