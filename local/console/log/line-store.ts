import { type LogLine, readLogLine } from "../../../cli/see/log-line.ts";
import { firstId } from "../../stack/first-id.ts";
import type { WorldNews } from "../../stack/world-news.ts";
import { KeptList } from "../kept-list.ts";

export interface KeptLine {
  readonly id: number;
  readonly atMs: number;
  readonly functionKey: string;
  readonly text: string;
  readonly read: () => LogLine;
}

const mostLines = 20_000;
const mostCharacters = 50_000_000;
/** CloudWatch cuts at 256 KB; the page needs less. */
const longestLine = 65_536;

export function keepLines(
  { subscribe }: { subscribe(listener: (news: WorldNews) => void): () => void },
  { most = mostLines, characters: mostSize = mostCharacters, startsAfter = firstId() } = {},
): { readonly lines: KeptList<KeptLine>; close(): void } {
  const lines = new KeptList<KeptLine>({ most, mostSize, sizeOf: ({ text }) => text.length });
  let lastId = startsAfter;
  const close = subscribe((news) => {
    if (news.kind !== "line" && news.kind !== "lambdaLine") return;
    lastId += 1;
    lines.add(toKept(lastId, news));
  });
  return { lines, close };
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
