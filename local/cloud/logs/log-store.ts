import type { MessageFilter } from "./filter-pattern.ts";

/** A log event as CloudWatch shows it; times are milliseconds since 1970. */
export interface StoredLine {
  readonly eventId: string;
  readonly logStreamName: string;
  readonly timestamp: number;
  readonly ingestionTime: number;
  readonly message: string;
}

export interface LineQuery {
  /** From the first moment to the last one, both included. */
  readonly startMs: number;
  readonly endMs: number;
  readonly isMeant: MessageFilter;
  /** Leaves out this line and what stands before it. */
  readonly after?: Position | undefined;
  /** How many lines are looked at, whether they are meant or not. */
  readonly limit: number;
}

/** A line's place: by time, then by when it came, then by its own number. */
export type Position = readonly [timestamp: number, ingestionTime: number, number: number];

/** What CloudWatch Logs keeps. */
export interface LogStore {
  readonly groups: readonly string[];
  createGroup(name: string): void;
  /** Adds a line, which may come later than it was written. A group that is not there is made, as Lambda does. */
  add(
    group: string,
    line: { readonly stream: string; readonly message: string; readonly atMs?: number },
  ): void;
  /** Undefined for a group that is not there; `next` where there may be more. */
  read(
    group: string,
    query: LineQuery,
  ): { readonly lines: readonly StoredLine[]; readonly next: Position | undefined } | undefined;
  /** Forgets every line. */
  clear(): void;
}

/** What is kept of a group; the oldest goes first. CloudWatch keeps all for as long as the group says. */
const mostCharacters = 8_000_000;

interface Kept extends StoredLine {
  readonly place: Position;
}

export function createLogStore(now: () => number): LogStore {
  const groups = new Map<string, { lines: Kept[]; characters: number }>();
  let count = 0;
  const groupOf = (name: string) => {
    const group = groups.get(name) ?? { lines: [], characters: 0 };
    groups.set(name, group);
    return group;
  };

  return {
    get groups() {
      return [...groups.keys()].toSorted();
    },
    createGroup: (name) => void groupOf(name),
    add: (name, { stream, message, atMs = now() }) => {
      if (message.trim() === "") return; // CloudWatch takes no empty event
      const group = groupOf(name);
      const ingestionTime = now();
      count += 1;
      const line = {
        eventId: String(count).padStart(56, "0"),
        logStreamName: stream,
        timestamp: atMs,
        ingestionTime,
        message,
        place: [atMs, ingestionTime, count],
      } as const;
      // Nearly always the last one.
      const before = group.lines.findLastIndex(({ place }) => compare(place, line.place) < 0);
      group.lines.splice(before + 1, 0, line);
      group.characters += message.length;
      while (group.characters > mostCharacters) group.characters -= group.lines.shift()?.message.length ?? 0;
    },
    read: (name, { startMs, endMs, isMeant, after, limit }) => {
      const meant = groups
        .get(name)
        ?.lines.filter(
          ({ timestamp, place }) =>
            timestamp >= startMs && timestamp <= endMs && (after === undefined || compare(place, after) > 0),
        );
      if (meant === undefined) return undefined;
      const looked = meant.slice(0, limit);
      const lines = looked
        .filter(({ message }) => isMeant(message))
        .map(({ place: _, ...line }): StoredLine => line);
      return { lines, next: meant.length > limit ? looked.at(-1)?.place : undefined };
    },
    clear: () => {
      for (const group of groups.values()) Object.assign(group, { lines: [], characters: 0 });
    },
  };
}

function compare(one: Position, other: Position): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}
