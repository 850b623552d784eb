import { type LogLine, readLogLine } from "../../cli/see/log-line.ts";
import { firstId } from "../stack/first-id.ts";
import type { LocalStack } from "../stack/local-stack.ts";

interface Bounds<One> {
  readonly most: number;
  /** Limit of the total size. */
  readonly mostSize: number;
  readonly sizeOf: (one: One) => number;
  /** Shrinks the oldest if all are too large. Default: removes it. */
  readonly shrink?: (one: One) => One;
}

/** Keeps the newest entries. Removes the oldest in batches: removing the first moves all others. */
export class KeptList<One extends { readonly id: number }> {
  #all: One[] = [];
  #size = 0;
  #shrunk = 0;
  readonly #bounds: Bounds<One>;

  constructor(bounds: Bounds<One>) {
    this.#bounds = bounds;
  }

  /** Oldest first. */
  get all(): readonly One[] {
    return this.#all.slice(-this.#bounds.most);
  }

  find(id: number): One | undefined {
    return this.#all.findLast((one) => one.id === id);
  }

  add(one: One): void {
    const { most, mostSize, sizeOf } = this.#bounds;
    this.#all.push(one);
    this.#size += sizeOf(one);
    if (this.#all.length >= most * 1.1) this.#drop(this.#all.length - most);
    while (this.#size > mostSize && this.#shrunk < this.#all.length - 1) this.#shrinkOldest();
  }

  forget(isToGo: (one: One) => boolean): void {
    const kept = this.#all.filter((one) => !isToGo(one));
    [this.#all, this.#size, this.#shrunk] = [[], 0, 0];
    for (const one of kept) this.add(one);
  }

  #drop(count: number) {
    for (const one of this.#all.splice(0, count)) this.#size -= this.#bounds.sizeOf(one);
    this.#shrunk = Math.max(0, this.#shrunk - count);
  }

  #shrinkOldest() {
    const { shrink, sizeOf } = this.#bounds;
    const old = this.#all[this.#shrunk];
    if (shrink === undefined || old === undefined) this.#drop(1);
    else {
      const small = shrink(old);
      this.#all[this.#shrunk] = small;
      this.#size += sizeOf(small) - sizeOf(old);
      this.#shrunk += 1;
    }
  }
}

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
  { subscribe }: Pick<LocalStack, "subscribe">,
  { most = mostLines, characters: mostSize = mostCharacters, startsAfter = firstId() } = {},
) {
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
