import type { Item, Table } from "../aws/table.ts";
import { PermanentError } from "../base/permanent-error.ts";
import {
  createFlowMarks,
  earlyPlace,
  formerPrefix,
  type KeptEvent,
  keptPartition,
  keptPrefix,
  keptShards,
  kindsItem,
  markPartition,
  sortable,
  type WaitKind,
} from "./flow-marks.ts";
import {
  anyPartition,
  anyShards,
  deletePlaces,
  flowPlace,
  formerPartition,
  readQuestion,
  readShards,
  readWait,
  rememberedSeconds,
  waitIdOf,
  waitPrefix,
} from "./flow-waits.ts";
import type { OpenWait, WaitPlace } from "./open-wait.ts";
import { keyPartition, keysOf } from "./wait-keys.ts";
import { createWaitMemory } from "./wait-memory.ts";

/**
 * A flow's access to the flows table: it asks, and reads what arrived before it asked. All methods may be
 * repeated. @throws AwsCallError if the table cannot be reached
 */
export interface FlowQuestions {
  /**
   * Records that questions of a kind may be open until then, for events of each name. A process seldom writes
   * it twice.
   */
  expect(appId: string, triggers: readonly string[], kind: WaitKind, untilMs: number): Promise<void>;
  /** @throws PermanentError if too many flows wait for the name without a key */
  open(wait: OpenWait): Promise<void>;
  /** Returns events stored since then in order of receipt, and reads pages as they are needed. */
  keptSince(appId: string, trigger: string, sinceMs: number): AsyncIterable<KeptEvent>;
  /** Returns events stored about a message for the flow that it starts, in order of receipt. */
  keptEarly(appId: string, trigger: string, messageId: string): AsyncIterable<KeptEvent>;
  /** Records that a flow runs on code of this version, and may ask for any of these events next. */
  takeOver(appId: string, triggers: readonly string[], flowId: string): Promise<void>;
  /** Returns a flow's open questions; those of earlier versions for these names. */
  ofFlow(appId: string, flowId: string, triggers: readonly string[]): Promise<readonly OpenWait[]>;
}

const dayMs = 24 * 60 * 60_000;
/** Maximum time from receipt to handling, through a pause and an outage, while a question is open. */
const latestMs = 16 * dayMs;
/** Limits rewrites of one kind of question to one per this time. */
const expectStepMs = 2 * dayMs;

/** Events have at most 240 kB each. */
const pageSize = 100;

/** Per app and name. Each new process reads all of them, and each event is compared with them. */
export const mostWithoutKey = 10_000;

/** Share of the limit from which `onMany` is called. */
const manyShare = 0.8;

/** How often they are counted from then on: a full read costs about a thousand read units. */
const countedMs = 60_000;

/**
 * A question without a key is found by the time of its write, which must not be earlier than this
 * (wait-memory.ts).
 */
const longestWriteMs = 10_000;

/**
 * Uses a table whose key is `waits` and `flow`.
 * @param onMany called when four fifths of the allowed questions without a key are open, or all
 */
export function createFlowQuestions(
  table: Table,
  now: () => number,
  onMany?: (appId: string, trigger: string) => void,
): FlowQuestions {
  const memory = createWaitMemory();
  const marks = createFlowMarks(table, now);
  /** Until when each kind is recorded, by partition and kind. */
  const expected = new Map<string, number>();
  const expectOne = async (appId: string, trigger: string, kind: WaitKind, untilMs: number) => {
    const partition = markPartition(appId, trigger);
    const name = `${partition.waits} ${kind}`;
    if ((expected.get(name) ?? 0) >= untilMs) return;
    const nextMs = untilMs + expectStepMs;
    // Never expires: it contains the end of each kind.
    await table.update(
      { ...partition, flow: kindsItem },
      { set: { [kind]: nextMs } },
      {
        expression: "attribute_not_exists(#kind) OR #kind < :until",
        names: { "#kind": kind },
        values: { ":until": untilMs },
      },
    );
    expected.set(name, untilMs);
  };
  const read = async function* (partition: Item, prefix: string, sinceMs: number) {
    let from = prefix + sortable(sinceMs);
    for (;;) {
      const items = await table.query(partition, { from, to: `${prefix}~`, limit: pageSize });
      for (const item of items) yield* readKept(item);
      const last = items.at(-1)?.flow;
      if (items.length < pageSize || typeof last !== "string") return;
      // The next possible key, so that the last one is not read again.
      from = `${last}\u0000`;
    }
  };

  const readAny = (appId: string, trigger: string, oldestMs?: number) =>
    memory.read(`${appId} ${trigger}`, now(), (from) => readShards(table, appId, trigger, from), oldestMs);

  /** The flow's entry is written first: all other entries can be found by it and removed. */
  const write = async (wait: OpenWait, places: readonly WaitPlace[]) => {
    const { knownKeys, listens, where, untilMs, ...facts } = wait;
    const item = {
      ...facts,
      untilMs,
      where: JSON.stringify(where ?? {}),
      knownKeys: [...knownKeys],
      ...(listens && { listens: [...listens] }),
      places: places.map(({ waits, flow }) => ({ waits, flow })),
      expiration: Math.ceil(untilMs / 1000) + rememberedSeconds,
    };
    await table.put({ ...item, ...flowPlace(wait.flowId, wait.callbackId) });
    await Promise.all(places.map((place) => table.put({ ...item, ...place })));
  };

  const openAny = async (wait: OpenWait, id: string) => {
    const { appId, trigger } = wait;
    const partition = anyPartition(appId, trigger, Number.parseInt(id.slice(0, 4), 16) % anyShards);
    const nowMs = now();
    const isOther = (other: OpenWait) => other.untilMs >= nowMs && other.callbackId !== wait.callbackId;
    const countOf = (waits: Iterable<OpenWait>) => [...waits].filter(isOther).length;
    // Some of the known ones may be closed.
    const isMany = countOf(await readAny(appId, trigger)) >= mostWithoutKey * manyShare;
    const known = isMany ? countOf(await readAny(appId, trigger, countedMs)) : 0;
    if (known >= mostWithoutKey * manyShare) onMany?.(appId, trigger);
    if (known >= mostWithoutKey && countOf(await readShards(table, appId, trigger, "0")) >= mostWithoutKey) {
      throw new PermanentError(
        `${mostWithoutKey} flows of app ${appId} wait for ${trigger} without a key, which is the maximum. ` +
          "Name a messageId, parentId, sender, conversation, receiver or group in the question's `where`.",
      );
    }
    for (;;) {
      const writtenMs = now();
      const place = { ...partition, flow: `${sortable(writtenMs)} ${id}` };
      await write(wait, [place]);
      if (now() - writtenMs <= longestWriteMs) return;
      await deletePlaces(table, [place]);
    }
  };

  return {
    open: async (wait) => {
      const { appId, flowId, callbackId, where } = wait;
      const id = waitIdOf(callbackId);
      // An earlier try may have written it too long ago.
      const earlier = await readQuestion(table, flowId, callbackId);
      const keys = keysOf(where);
      if (keys.length === 0) {
        await openAny(wait, id);
        const places = earlier?.places ?? [];
        if (places.length > 0) {
          const current = (await readQuestion(table, flowId, callbackId))?.places ?? [];
          await deletePlaces(
            table,
            places.filter((one) => !current.some(({ flow }) => flow === one.flow)),
          );
        }
        return;
      }
      await write(
        wait,
        keys.map((key) => ({ ...keyPartition(appId, key), flow: waitPrefix + id })),
      );
    },

    expect: async (appId, triggers, kind, untilMs) => {
      await Promise.all(triggers.map((trigger) => expectOne(appId, trigger, kind, untilMs + latestMs)));
    },
    keptSince: (appId, trigger, sinceMs) =>
      inOrder([
        read(markPartition(appId, trigger), keptPrefix, sinceMs),
        ...Array.from({ length: keptShards }, (_, shard) =>
          read(keptPartition(appId, trigger, shard), keptPrefix, sinceMs),
        ),
      ]),
    keptEarly: (appId, trigger, messageId) => {
      const { partition, prefix } = earlyPlace(appId, trigger, messageId);
      return read(partition, prefix, 0);
    },
    takeOver: async (appId, triggers, flowId) => {
      await marks.begin(appId, triggers, flowId);
      const flow = formerPrefix + flowId;
      await Promise.all(triggers.map((trigger) => table.delete({ ...markPartition(appId, trigger), flow })));
    },
    ofFlow: async (appId, flowId, triggers) => {
      const own = await table.query({ waits: `flow ${flowId}` }, { prefix: waitPrefix });
      const former = await Promise.all(
        triggers.map(async (trigger) => {
          const items = await table.query(formerPartition(appId, trigger));
          return items.flatMap((item) => readWait(item, { appId, trigger }));
        }),
      );
      return [...own.flatMap((item) => readWait(item)), ...former.flat()].filter(
        (wait) => wait.flowId === flowId,
      );
    },
  };
}

/** Returns under which kind a question is stored. */
export function waitKindOf(where: unknown): WaitKind {
  return keysOf(where)[0]?.kind ?? "any";
}

/** Merges streams of events that are each in order of receipt. */
export async function* inOrder(
  sources: readonly AsyncIterable<KeptEvent>[],
): AsyncGenerator<KeptEvent, void, undefined> {
  const readers = sources.map((source) => source[Symbol.asyncIterator]());
  const heads = await Promise.all(readers.map((reader) => reader.next()));
  for (;;) {
    let first: number | undefined;
    for (const [index, head] of heads.entries()) {
      const before = first === undefined ? undefined : heads[first];
      const isFirst = before === undefined || before.done === true;
      if (head.done !== true && (isFirst || head.value.receivedAt < before.value.receivedAt)) first = index;
    }
    const head = first === undefined ? undefined : heads[first];
    const reader = first === undefined ? undefined : readers[first];
    if (first === undefined || reader === undefined || head === undefined || head.done === true) return;
    yield head.value;
    heads[first] = await reader.next();
  }
}

function readKept({ key, receivedAt, text }: Item): KeptEvent[] {
  return typeof key === "string" && typeof receivedAt === "number" && typeof text === "string"
    ? [{ key, receivedAt, text }]
    : [];
}
