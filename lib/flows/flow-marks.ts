import type { Item, Table } from "../aws/table.ts";
import { sha256Hex } from "../digest.ts";
import { longestSeconds } from "./flow-length.ts";

/** An event that was kept, as a flow gets it. */
export interface KeptEvent {
  /** Names the fact: equal for two deliveries of it. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The event, as `toFlowText` writes it. */
  readonly text: string;
}

/**
 * Remembers on the flows table which events running flows may ask for, and those events: what came between a flow's
 * question and its waiting is found there.
 * All throw AwsCallError when the table cannot be reached; all may be repeated.
 */
export interface FlowMarks {
  /** Says that a flow runs which waits for these events. */
  begin(appId: string, triggers: readonly string[], flowId: string): Promise<void>;
  /** Says that it is over. */
  end(appId: string, triggers: readonly string[], flowId: string): Promise<void>;
  /** Tells whether a flow runs that may wait for an event. */
  isWatched(appId: string, trigger: string): Promise<boolean>;
  keep(appId: string, trigger: string, event: KeptEvent): Promise<void>;
  /** Gives what was kept since then, in the order of receipt: read by the page, as far as it is asked for. */
  keptSince(appId: string, trigger: string, sinceMs: number): AsyncIterable<KeptEvent>;
}

/** A step that meets trouble is tried for a day; what came since its first try is there afterwards. */
const keptMs = 2 * 24 * 60 * 60_000;

/** Of events of at most 240 kB each. */
const pageSize = 100;

const runPrefix = "run ";
const keptPrefix = "kept ";

/** Keeps them on a table whose key is `waits` and `flow`. */
export function createFlowMarks(table: Table, now: () => number): FlowMarks {
  const partitionOf = (appId: string, trigger: string) => ({ waits: `${appId} ${trigger}` });
  const runOf = (appId: string, trigger: string, flowId: string) => ({
    ...partitionOf(appId, trigger),
    flow: runPrefix + flowId,
  });

  return {
    begin: async (appId, triggers, flowId) => {
      const expiration = Math.ceil(now() / 1000) + longestSeconds;
      await Promise.all(
        triggers.map((trigger) => table.put({ ...runOf(appId, trigger, flowId), expiration })),
      );
    },
    end: async (appId, triggers, flowId) => {
      await Promise.all(triggers.map((trigger) => table.delete(runOf(appId, trigger, flowId))));
    },
    isWatched: async (appId, trigger) =>
      (await table.query(partitionOf(appId, trigger), { prefix: runPrefix, limit: 1 })).length > 0,
    keep: async (appId, trigger, { key, receivedAt, text }) => {
      const flow = `${keptPrefix}${sortable(receivedAt)} ${sha256Hex(key).slice(0, 32)}`;
      const expiration = Math.ceil((Math.max(now(), receivedAt) + keptMs) / 1000);
      await table.put({ ...partitionOf(appId, trigger), flow, key, receivedAt, text, expiration });
    },
    keptSince: async function* (appId, trigger, sinceMs) {
      let from = keptPrefix + sortable(sinceMs);
      for (;;) {
        const range = { from, to: `${keptPrefix}~`, limit: pageSize };
        const items = await table.query(partitionOf(appId, trigger), range);
        for (const item of items) yield* readKept(item);
        const last = items.at(-1)?.flow;
        if (items.length < pageSize || typeof last !== "string") return;
        // The next possible key: the last one is not read again.
        from = `${last}\u0000`;
      }
    },
  };
}

function readKept({ key, receivedAt, text }: Item): KeptEvent[] {
  return typeof key === "string" && typeof receivedAt === "number" && typeof text === "string"
    ? [{ key, receivedAt, text }]
    : [];
}

/** Texts in the order of their times. */
function sortable(ms: number): string {
  return String(Math.trunc(ms)).padStart(15, "0");
}
