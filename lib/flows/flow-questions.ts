import type { DurableContext } from "@aws/durable-execution-sdk-js";
import { type Item, type Table, when } from "../aws/table.ts";
import { PermanentError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import {
  earlyPlace,
  type KeptEvent,
  keptPartition,
  keptPrefix,
  keptShards,
  kindsItem,
  markPartition,
  sortable,
  type WaitKind,
} from "./flow-marks.ts";
import type { StepResult } from "./flow-step.ts";
import {
  anyPartition,
  anyShards,
  deletePlaces,
  flowPlace,
  readQuestion,
  readShards,
  readWait,
  rememberedSeconds,
  waitIdOf,
  waitPrefix,
} from "./flow-waits.ts";
import { operationName } from "./operation-name.ts";
import { keyPartition, keysOf } from "./wait-keys.ts";
import { createWaitMemory, type OpenWait, type WaitPlace } from "./wait-memory.ts";

const dayMs = 24 * 60 * 60_000;
/** Maximum from receipt to handling (lib/queue/read-queued-event.ts). */
const latestMs = 32 * dayMs;
/** Writes ahead by this, to write seldom. */
const expectStepMs = 2 * dayMs;

const pageSize = 100;

/** Limit per app and event name: each new process reads all. */
const mostWithoutKey = 10_000;

const manyShare = 0.8;

/** Maximum age of a count near the limit: a full read costs a thousand read units. */
const countedMs = 60_000;

/** A slower write is repeated: readers look by the time of the write (wait-memory.ts). */
const longestWriteMs = 10_000;

export type FlowQuestions = ReturnType<typeof createFlowQuestions>;

/**
 * Stores questions, and reads events that arrived before them. Repeatable. Methods throw AwsCallError.
 * @param onMany called when four fifths of the allowed questions without a key are open
 */
export function createFlowQuestions(
  table: Table,
  now: () => number,
  onMany?: (appId: string, trigger: string) => void,
) {
  const expect = createExpect(table);
  const openAny = createOpenAny(table, now, onMany);
  return {
    /**
     * @param triggers the question's own first
     * @throws PermanentError if too many flows wait for a name without a key
     */
    open: async (wait: OpenWait, triggers: readonly string[] = [wait.trigger]) => {
      const { appId, flowId, callbackId, where } = wait;
      const id = waitIdOf(callbackId);
      const places = keysOf(where).flatMap((key) =>
        triggers.map((trigger, index) => {
          const flow = waitPrefix + (index === 0 ? id : `${id} ${trigger}`);
          return { ...keyPartition(appId, key), flow, trigger };
        }),
      );
      if (places.length > 0) return writeQuestion(table, wait, places);
      const earlier = (await readQuestion(table, flowId, callbackId))?.places ?? [];
      await openAny(wait, triggers, id);
      if (earlier.length === 0) return;
      const current = (await readQuestion(table, flowId, callbackId))?.places ?? [];
      const isObsolete = ({ flow }: WaitPlace) => !current.some((one) => one.flow === flow);
      await deletePlaces(table, earlier.filter(isObsolete));
    },

    /** Until when questions of a kind may be open. */
    expect: async (appId: string, triggers: readonly string[], kind: WaitKind, untilMs: number) => {
      await Promise.all(triggers.map((trigger) => expect(appId, trigger, kind, untilMs + latestMs)));
    },
    keptSince: (appId: string, trigger: string, sinceMs: number): AsyncIterable<KeptEvent> => {
      const shards = Array.from({ length: keptShards }, (_, shard) => keptPartition(appId, trigger, shard));
      return mergeByReceipt(
        shards.map((partition) => readKept(table, partition, keptPrefix, sinceMs, now())),
      );
    },
    keptEarly: (appId: string, trigger: string, messageId: string): AsyncIterable<KeptEvent> => {
      const { partition, prefix } = earlyPlace(appId, trigger, messageId);
      return readKept(table, partition, prefix, 0, now());
    },
    ofFlow: async (flowId: string): Promise<readonly OpenWait[]> => {
      const items = await table.query({ waits: `flow ${flowId}` }, { prefix: waitPrefix });
      return items.flatMap(readWait);
    },
  };
}

function createExpect(table: Table) {
  const expected = new Map<string, number>();
  return async (appId: string, trigger: string, kind: WaitKind, untilMs: number) => {
    const partition = markPartition(appId, trigger);
    const name = `${partition.waits} ${kind}`;
    if ((expected.get(name) ?? 0) >= untilMs) return;
    // Without expiration: has each kind's end.
    await table.update(
      { ...partition, flow: kindsItem },
      { set: { [kind]: untilMs + expectStepMs } },
      when("attribute_not_exists(#kind) OR #kind < :untilMs", { untilMs }, { kind }),
    );
    expected.set(name, untilMs);
  };
}

function createOpenAny(
  table: Table,
  now: () => number,
  onMany: ((appId: string, trigger: string) => void) | undefined,
) {
  const memory = createWaitMemory();
  const assertBelowLimit = async ({ appId, callbackId }: OpenWait, trigger: string) => {
    const nowMs = now();
    const countOf = (waits: Iterable<OpenWait>) =>
      [...waits].filter((other) => other.untilMs >= nowMs && other.callbackId !== callbackId).length;
    const readFrom = (from: string) => readShards(table, appId, trigger, from);
    const countKnown = async (maxAgeMs?: number) =>
      countOf(await memory.read(`${appId} ${trigger}`, now(), readFrom, maxAgeMs));
    const isMany = (await countKnown()) >= mostWithoutKey * manyShare;
    const known = isMany ? await countKnown(countedMs) : 0;
    if (known >= mostWithoutKey * manyShare) onMany?.(appId, trigger);
    if (known >= mostWithoutKey && countOf(await readFrom("0")) >= mostWithoutKey) {
      throw new PermanentError(
        `${mostWithoutKey} flows of app ${appId} wait for ${trigger} without a key, which is the maximum. ` +
          "Name a messageId, parentId, sender, conversation, receiver or group in the question's `where`.",
      );
    }
  };
  return async (wait: OpenWait, triggers: readonly string[], id: string) => {
    for (const trigger of triggers) await assertBelowLimit(wait, trigger);
    const shard = Number.parseInt(id.slice(0, 4), 16) % anyShards;
    for (;;) {
      const writtenMs = now();
      const flow = `${sortable(writtenMs)} ${id}`;
      const places = triggers.map((trigger) => ({
        ...anyPartition(wait.appId, trigger, shard),
        flow,
        trigger,
      }));
      await writeQuestion(table, wait, places);
      if (now() - writtenMs <= longestWriteMs) return;
      await deletePlaces(table, places);
    }
  };
}

export function waitKindOf(where: unknown): WaitKind {
  return keysOf(where)[0]?.kind ?? "any";
}

export async function* mergeByReceipt(
  sources: readonly AsyncIterable<KeptEvent>[],
): AsyncGenerator<KeptEvent, void, undefined> {
  const readers = sources.map((source) => source[Symbol.asyncIterator]());
  const heads = await Promise.all(readers.map((reader) => reader.next()));
  for (;;) {
    let first: { readonly index: number; readonly event: KeptEvent } | undefined;
    for (const [index, { done, value }] of heads.entries()) {
      if (done !== true && (first === undefined || isBefore(value, first.event)))
        first = { index, event: value };
    }
    const reader = readers[first?.index ?? -1];
    if (first === undefined || reader === undefined) return;
    yield first.event;
    heads[first.index] = await reader.next();
  }
}

function isBefore(one: KeptEvent, other: KeptEvent) {
  if (one.receivedAt !== other.receivedAt) return one.receivedAt < other.receivedAt;
  return (one.order ?? "") < (other.order ?? "");
}

async function* readKept(
  table: Table,
  partition: Item,
  prefix: string,
  sinceMs: number,
  nowMs: number,
): AsyncGenerator<KeptEvent, void, undefined> {
  let from = prefix + sortable(sinceMs);
  for (;;) {
    const items = await table.query(partition, { from, to: `${prefix}~`, limit: pageSize });
    for (const { key, receivedAt, text, order, expiration } of items) {
      if (Number(expiration) * 1000 <= nowMs) continue;
      if (typeof key === "string" && typeof receivedAt === "number" && typeof text === "string")
        yield { key, receivedAt, text, ...(typeof order === "string" && { order }) };
    }
    const last = items.at(-1)?.flow;
    if (items.length < pageSize || typeof last !== "string") return;
    // The last key is not read again.
    from = `${last}\u0000`;
  }
}

/** Writes the flow's entry first: it lists the others. */
async function writeQuestion(
  table: Table,
  wait: OpenWait,
  places: readonly (WaitPlace & Pick<OpenWait, "trigger">)[],
) {
  const { knownKeys, listens, where, untilMs, ...rest } = wait;
  const item = {
    ...rest,
    untilMs,
    where: JSON.stringify(where ?? {}),
    knownKeys,
    listens,
    places: places.map(({ waits, flow }) => ({ waits, flow })),
    expiration: Math.ceil(untilMs / 1000) + rememberedSeconds,
  };
  await table.put({ ...item, ...flowPlace(wait.flowId, wait.callbackId) });
  await Promise.all(places.map((place) => table.put({ ...item, ...place })));
}

export interface ReadProgress {
  /** Milliseconds since 1970. */
  readonly toMs: number;
  readonly untilMs: number;
  readonly hasFailed?: boolean;
}

/** Each failure takes two of an execution's operations. */
const longestWaitSeconds = 300;

/** Repeats a step: two days of events may take longer than one. */
export async function repeatUntilRead<T>(
  context: DurableContext,
  part: (read: ReadProgress | undefined) => Promise<StepResult<T | { readonly read: ReadProgress }>>,
): Promise<StepResult<T>> {
  let read: ReadProgress | undefined;
  for (let failures = 0; ; ) {
    const { value, ...times } = await part(read);
    if (!isPartlyRead(value)) return { value, ...times };
    ({ read } = value);
    failures = read.hasFailed ? failures + 1 : 0;
    if (failures === 0) continue;
    const seconds = Math.min(longestWaitSeconds, 5 * 2 ** (failures - 1));
    await context.wait(operationName("before reading on"), { seconds });
  }
}

export function isPartlyRead(value: unknown): value is { readonly read: ReadProgress } {
  return isRecord(value) && isRecord(value.read);
}
