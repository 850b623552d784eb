import { sortable } from "./flow-marks.ts";
import type { OpenWait } from "./open-wait.ts";

/**
 * What a process has read of the questions that name no key. Every event of their name may answer them; read anew each time,
 * ten thousand would cost a thousand read units and a tenth of a second an event.
 */
export interface WaitMemory {
  /**
   * Returns the open questions of a name, and perhaps some that are closed: all that were written before this call are
   * among them.
   * @param name app and name of the event
   * @param readFrom reads those whose sort key is that or a later one
   * @param oldestMs how long ago those that are closed were open at most. Default: an hour
   */
  read(
    name: string,
    nowMs: number,
    readFrom: (from: string) => Promise<readonly OpenWait[]>,
    oldestMs?: number,
  ): Promise<Iterable<OpenWait>>;
  /** Forgets a question that is closed, by its sort key. */
  forget(flow: string): void;
}

interface Known {
  /** By sort key, which begins with the time of writing. */
  readonly waits: Map<string, OpenWait>;
  /** Milliseconds since 1970: when the latest reading of all began. */
  allReadMs: number;
  /** And the latest reading of any. */
  readMs: number;
  /** With more than these, many are closed: each event would be compared with them. */
  readonly most: number;
}

/** A question takes up to 10 s to be written (flow-waits.ts), and two clocks may differ by some seconds. */
const overlapMs = 30_000;
/** So that what is closed is forgotten. */
const freshMs = 60 * 60_000;

export function createWaitMemory(): WaitMemory {
  const names = new Map<string, Known>();
  const loading = new Map<string, Promise<unknown>>();

  return {
    read: async (name, nowMs, readFrom, oldestMs = freshMs) => {
      // What is being read was begun before this call: it shows what is old, and what is new is read below.
      const underWay = loading.get(name);
      if (underWay !== undefined) await underWay.catch(() => undefined);
      const known = names.get(name);
      if (known === undefined || nowMs - known.allReadMs > oldestMs || known.waits.size > known.most) {
        const load = readFrom("0").then((waits) => {
          const all = new Map(waits.map((wait) => [sortKeyOf(wait), wait]));
          names.set(name, { waits: all, allReadMs: nowMs, readMs: nowMs, most: 2 * all.size + 1_000 });
          return all;
        });
        loading.set(name, load);
        try {
          return [...(await load).values()];
        } finally {
          if (loading.get(name) === load) loading.delete(name);
        }
      }
      for (const wait of await readFrom(sortable(known.readMs - overlapMs))) {
        known.waits.set(sortKeyOf(wait), wait);
      }
      known.readMs = Math.max(known.readMs, nowMs);
      return known.waits.values();
    },
    forget: (flow) => {
      for (const { waits } of names.values()) waits.delete(flow);
    },
  };
}

function sortKeyOf({ places: [place] = [] }: OpenWait): string {
  return place?.flow ?? "";
}
