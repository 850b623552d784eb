import { type Item, type Table, when } from "../aws/table.ts";
import { sha256Hex } from "../base/digest.ts";
import { parseJson } from "../base/json.ts";
import type { KeptEvent, Listening } from "./flow-marks.ts";
import { keyPartition, type WaitKey } from "./wait-keys.ts";
import { createWaitMemory, type OpenWait, type WaitMemory, type WaitPlace } from "./wait-memory.ts";

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

    /** Returns the valid outcome: an earlier one, if any. */
    decide: async (callbackId: string, outcome: WaitOutcome): Promise<WaitOutcome> => {
      const key = { waits: `outcome ${waitIdOf(callbackId)}`, flow: "outcome" };
      const event = outcome.kind === "event" ? { ...outcome.event } : {};
      const expiration = Math.ceil(now() / 1000) + rememberedSeconds;
      const isUndecided = when("attribute_not_exists(#kind)");
      const written = await table.put({ ...key, kind: outcome.kind, ...event, expiration }, isUndecided);
      return written.ok ? outcome : readOutcome(written.old ?? {});
    },

    close: async (wait: Pick<OpenWait, "flowId" | "callbackId" | "places">) => {
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
