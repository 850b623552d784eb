import type { Item, Table } from "../aws/table.ts";
import { inParts } from "../base/batching.ts";
import { sha256Hex } from "../base/digest.ts";
import type { FlowRequest } from "../effects/flow-request.ts";
import { type KeptEvent, keptPrefix, sortable } from "./flow-marks.ts";
import { type FlowQuestions, mergeByReceipt } from "./flow-questions.ts";
import { rememberedSeconds } from "./flow-waits.ts";

export type FlowRestarts = ReturnType<typeof createFlowRestarts>;

export interface HeardEvent extends KeptEvent {
  readonly trigger: string;
}

/** Repeatable. Methods throw AwsCallError. */
export function createFlowRestarts(table: Table, now: () => number) {
  const partitionOf = (id: string) => ({ waits: `restart ${id}` });
  const keyOf = (id: string) => ({ ...partitionOf(id), flow: "started" });
  const expiration = () => Math.ceil(now() / 1000) + rememberedSeconds;

  const read = async function* (of: string, trigger: string, sinceMs: number) {
    const prefix = prefixOf(trigger);
    const range = { from: prefix + sortable(sinceMs), to: `${prefix}~` };
    yield* (await table.query(partitionOf(of), range)).flatMap(readEvent);
  };

  return {
    startedFor: async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const started = new Map<string, string>();
      for (const part of inParts(ids, keysPerRead))
        for (const { id, newId } of await table.batchGet(part.map(keyOf))) started.set(`${id}`, `${newId}`);
      return started;
    },
    noteStart: async (id: string, newId: string) => {
      await table.put({ ...keyOf(id), id, newId, expiration: expiration() });
    },
    keep: async (of: string, appId: string, events: readonly HeardEvent[]) => {
      for (const { trigger, key, receivedAt, text } of events) {
        const flow = `${prefixOf(trigger)}${sortable(receivedAt)} ${sha256Hex(key).slice(0, 32)}`;
        await table.put({ ...partitionOf(of), flow, appId, key, receivedAt, text, expiration: expiration() });
      }
    },
    /** Adds what the failed flow received. */
    questionsOf: (
      { of, from }: NonNullable<FlowRequest["restart"]>,
      questions: FlowQuestions,
    ): FlowQuestions => ({
      ...questions,
      keptSince: (appId, trigger, sinceMs) =>
        mergeByReceipt([
          read(of, trigger, sinceMs),
          questions.keptSince(appId, trigger, Math.max(sinceMs, from)),
        ]),
      keptEarly: (appId, trigger, messageId) =>
        mergeByReceipt([read(of, trigger, 0), questions.keptEarly(appId, trigger, messageId)]),
    }),
  };
}

const keysPerRead = 100;

function prefixOf(trigger: string) {
  return `${keptPrefix}${trigger} `;
}

function readEvent({ key, receivedAt, text }: Item): KeptEvent[] {
  const isEvent = typeof key === "string" && typeof receivedAt === "number" && typeof text === "string";
  return isEvent ? [{ key, receivedAt, text }] : [];
}
