import { type Item, type Table, when } from "../aws/table.ts";
import { sha256Hex } from "../base/digest.ts";
import { parseJson } from "../base/json.ts";
import { type KeptEvent, type Listening, sortable } from "./flow-marks.ts";

import { keyPartition, type WaitKey } from "./wait-keys.ts";

/**
 * Caches questions without a key, which every event of their name may answer. Reading ten thousand each time
 * would cost a thousand read units and a tenth of a second.
 */
type WaitMemory = ReturnType<typeof createWaitMemory>;

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

function sortKeyOf({ places: [place] = [] }: OpenWait): string {
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

type WaitOutcome = { readonly kind: "event"; readonly event: KeptEvent } | { readonly kind: "over" };

interface WaitSearch {
  readonly appId: string;
  readonly trigger: string;
  readonly keys: readonly WaitKey[];
  readonly listening: Listening;
  readonly mayFit: (wait: OpenWait) => boolean;
}

/** Retention: while a late event may find the question (flow-questions.ts), and some days of failures. */
export const rememberedSeconds = 36 * 24 * 60 * 60;

/** Partitions of questions without a key, read concurrently. */
export const anyShards = 4;
export const waitPrefix = "wait ";

export function flowPlace(flowId: string, callbackId: string): WaitPlace {
  return { waits: `flow ${flowId}`, flow: waitPrefix + waitIdOf(callbackId) };
}

export function waitIdOf(callbackId: string): string {
  return sha256Hex(callbackId).slice(0, 32);
}

export function anyPartition(appId: string, trigger: string, shard: number): { readonly waits: string } {
  return { waits: `${appId} ${trigger} any ${shard}` };
}

export async function readShards(
  table: Table,
  appId: string,
  trigger: string,
  from: string,
): Promise<readonly OpenWait[]> {
  const shards = Array.from({ length: anyShards }, (_, shard) => anyPartition(appId, trigger, shard));
  const read = await Promise.all(shards.map((partition) => table.query(partition, { from })));
  return read.flat().flatMap(readWait);
}

export async function readQuestion(
  table: Table,
  flowId: string,
  callbackId: string,
): Promise<OpenWait | undefined> {
  const { waits, flow } = flowPlace(flowId, callbackId);
  return (await table.query({ waits }, { prefix: flow, limit: 1 })).flatMap(readWait)[0];
}

export async function deletePlaces(table: Table, places: readonly WaitPlace[]): Promise<void> {
  await Promise.all(places.map(({ waits, flow }) => table.delete({ waits, flow })));
}

export type FlowWaits = ReturnType<typeof createFlowWaits>;

/** Stores open questions and their outcomes: the first one counts. Repeatable. Methods throw AwsCallError. */
export function createFlowWaits(table: Table, now: () => number, memory: WaitMemory = createWaitMemory()) {
  return {
    /** Returns questions of the keys, for any event, and those without a key that `mayFit`. */
    find: async (search: WaitSearch): Promise<readonly OpenWait[]> => {
      const { appId, trigger, keys, mayFit } = search;
      const { kinds } = search.listening;
      const inUse = keys.filter(({ kind }) => kinds.has(kind));
      const [byKey, any] = await Promise.all([
        Promise.all(inUse.map((key) => table.query(keyPartition(appId, key), { prefix: waitPrefix }))),
        kinds.has("any")
          ? memory.read(`${appId} ${trigger}`, now(), (from) => readShards(table, appId, trigger, from))
          : [],
      ]);
      return [...byKey.flat().flatMap(readWait), ...[...any].filter(mayFit)];
    },

    /** Stores an outcome. Returns the valid one: an earlier one, if any. */
    decide: async (callbackId: string, outcome: WaitOutcome): Promise<WaitOutcome> => {
      const key = { waits: `outcome ${waitIdOf(callbackId)}`, flow: "outcome" };
      const event = outcome.kind === "event" ? { ...outcome.event } : {};
      const expiration = Math.ceil(now() / 1000) + rememberedSeconds;
      const isUndecided = when("attribute_not_exists(#kind)");
      const written = await table.put({ ...key, kind: outcome.kind, ...event, expiration }, isUndecided);
      return written.ok ? outcome : readOutcome(written.old ?? {});
    },

    close: async (wait: Pick<OpenWait, "flowId" | "callbackId" | "places">): Promise<void> => {
      const { flowId, callbackId, places } = wait;
      const known = places ?? (await readQuestion(table, flowId, callbackId))?.places ?? [];
      await deletePlaces(table, known);
      await deletePlaces(table, [flowPlace(flowId, callbackId)]);
      for (const { flow } of known) memory.forget(flow);
    },
  };
}

export function readWait(item: Item): OpenWait[] {
  const { appId, trigger, waits, flow, flowId, callbackId, where } = item;
  const { sinceMs, untilMs, knownKeys, listens, early, places } = item;
  if (typeof appId !== "string" || typeof trigger !== "string") return [];
  if (typeof flowId !== "string" || typeof callbackId !== "string" || typeof where !== "string") return [];
  if (typeof sinceMs !== "number" || typeof untilMs !== "number" || !Array.isArray(knownKeys)) return [];
  return [
    {
      appId,
      trigger,
      flowId,
      callbackId,
      sinceMs,
      untilMs,
      where: parseJson(where),
      knownKeys: knownKeys.map(String),
      ...(Array.isArray(listens) && { listens: listens.map(String) }),
      ...(typeof early === "string" && { early }),
      places: Array.isArray(places) ? places.flatMap(readPlace) : readPlace({ waits, flow }),
    },
  ];
}

function readPlace(place: unknown): WaitPlace[] {
  const { waits, flow } = Object(place);
  return typeof waits === "string" && typeof flow === "string" ? [{ waits, flow }] : [];
}

function readOutcome({ kind, key, receivedAt, text }: Item): WaitOutcome {
  const isEvent = kind === "event" && typeof key === "string" && typeof receivedAt === "number";
  if (isEvent && typeof text === "string") return { kind: "event", event: { key, receivedAt, text } };
  return { kind: "over" };
}
