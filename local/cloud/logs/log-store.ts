import type { MessageFilter } from "./filter-pattern.ts";

export interface StoredLine {
  readonly eventId: string;
  readonly logStreamName: string;
  readonly timestamp: number;
  readonly ingestionTime: number;
  readonly message: string;
}

export interface LineQuery {
  readonly startMs: number;
  readonly endMs: number;
  readonly matches: MessageFilter;
  readonly after?: Position | undefined;
  readonly limit: number;
}

export type Position = readonly [timestamp: number, ingestionTime: number, number: number];

export type LogStore = ReturnType<typeof createLogStore>;

/** Limit per group; the oldest lines are evicted. */
const maxCharacters = 8_000_000;

export function createLogStore(now: () => number) {
  const groups = new Map<string, { lines: StoredLine[]; characters: number }>();
  let count = 0;
  const createGroup = (name: string) => {
    const group = groups.get(name) ?? { lines: [], characters: 0 };
    groups.set(name, group);
    return group;
  };
  return {
    createGroup,
    has: (name: string) => groups.has(name),
    /** Creates a missing group, as Lambda does. */
    add(name: string, line: { readonly stream: string; readonly message: string; readonly atMs?: number }) {
      const { stream, message, atMs = now() } = line;
      if (message.trim() === "") return; // CloudWatch takes no empty event
      const group = createGroup(name);
      count += 1;
      const stored = {
        eventId: String(count).padStart(56, "0"),
        logStreamName: stream,
        timestamp: atMs,
        ingestionTime: now(),
        message,
      };
      const before = group.lines.findLastIndex((other) => compare(placeOf(other), placeOf(stored)) < 0);
      group.lines.splice(before + 1, 0, stored);
      group.characters += message.length;
      while (group.characters > maxCharacters) group.characters -= group.lines.shift()?.message.length ?? 0;
    },
    /** Returns undefined for an unknown group; `next` if more lines may follow. */
    read(name: string, { startMs, endMs, matches, after, limit }: LineQuery) {
      const group = groups.get(name);
      if (group === undefined) return undefined;
      const meant = group.lines.filter(
        (line) =>
          line.timestamp >= startMs &&
          line.timestamp <= endMs &&
          (after === undefined || compare(placeOf(line), after) > 0),
      );
      const examined = meant.slice(0, limit);
      const last = meant.length > limit ? examined.at(-1) : undefined;
      return {
        lines: examined.filter(({ message }) => matches(message)),
        next: last && placeOf(last),
      };
    },
    clear() {
      for (const group of groups.values()) Object.assign(group, { lines: [], characters: 0 });
    },
  };
}

function placeOf({ timestamp, ingestionTime, eventId }: StoredLine): Position {
  return [timestamp, ingestionTime, Number(eventId)];
}

function compare(one: Position, other: Position) {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}
