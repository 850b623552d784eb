import { sortable } from "./flow-marks.ts";

/**
 * Every event of their name may answer questions without a key: reading ten thousand each time would cost a
 * thousand read units and a tenth of a second.
 */
export type WaitMemory = ReturnType<typeof createWaitMemory>;

interface Known {
  /** By sort key, which begins with the time of the write. */
  readonly waits: Map<string, OpenWait>;
  /** When the latest full read began. */
  allReadMs: number;
  readMs: number;
  /** Above this size, many are closed: all are read again. */
  readonly most: number;
}

/** A question takes up to 10 s to write (flow-questions.ts), and clocks may differ by some seconds. */
const overlapMs = 30_000;
const freshMs = 60 * 60_000;

export function createWaitMemory() {
  const names = new Map<string, Known>();
  const loading = new Map<string, Promise<unknown>>();

  return {
    /**
     * Returns all open questions of a name written before this call, and perhaps some closed ones.
     * @param name app and event
     * @param readFrom reads those from a sort key on
     * @param maxAgeMs maximum time since closed ones were open. Default: an hour
     */
    read: async (
      name: string,
      nowMs: number,
      readFrom: (from: string) => Promise<readonly OpenWait[]>,
      maxAgeMs: number = freshMs,
    ): Promise<Iterable<OpenWait>> => {
      const underWay = loading.get(name);
      if (underWay !== undefined) await underWay.catch(() => undefined);
      const known = names.get(name);
      if (known === undefined || nowMs - known.allReadMs > maxAgeMs || known.waits.size > known.most) {
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
    forget: (flow: string) => {
      for (const { waits } of names.values()) waits.delete(flow);
    },
  };
}

function sortKeyOf({ places: [place] = [] }: OpenWait) {
  return place?.flow ?? "";
}

export interface OpenWait {
  readonly appId: string;
  readonly trigger: string;
  readonly flowId: string;
  /** Completing it wakes the flow. */
  readonly callbackId: string;
  readonly where: unknown;
  /** Events received since then count. */
  readonly sinceMs: number;
  /** Events received until then count. */
  readonly untilMs: number;
  readonly knownKeys: readonly string[];
  /** All names that the flow may ask for next. Absent if an earlier version wrote it. */
  readonly listens?: readonly string[];
  /** Id of the message that started the flow: events about it may have been received earlier. */
  readonly early?: string;
  readonly places?: readonly WaitPlace[];
}

export interface WaitPlace {
  readonly waits: string;
  readonly flow: string;
}
