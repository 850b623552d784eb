import { type Item, type Table, when } from "../aws/table.ts";
import { sha256Hex } from "../base/digest.ts";
import { longestSeconds } from "./flow.ts";
import { keyPartition, type WaitKeyKind, waitKeyKinds } from "./wait-keys.ts";

export interface KeptEvent {
  /** Equal for all deliveries of one occurrence. */
  readonly key: string;
  readonly receivedAt: number;
  readonly text: string;
  /** Orders events that were received in one millisecond, as text. */
  readonly order?: string | undefined;
}

/** Kind of the key that a question is stored under; `any` without one. */
export type WaitKind = WaitKeyKind | "any";

export interface Listening {
  /** A flow that declares the event runs between two questions. */
  readonly isOpen: boolean;
  readonly kinds: ReadonlySet<WaitKind>;
}

const dayMs = 24 * 60 * 60_000;
/** Events are handled until 30 days after receipt (lib/queue/read-queued-event.ts). */
const keptLongMs = 31 * dayMs;

/** A flow may ask for events, or store the one that woke it, after retries for the maximum wait. */
function retentionFor(maxWaitMs: number) {
  const longestMs = Math.max(maxWaitMs, dayMs);
  const keptMs = longestMs + dayMs;
  return { keptMs, startSeconds: keptMs / 1_000, briefSeconds: longestMs / 1_000 + 2 * 60 * 60 };
}

/** Partitions per event name; each takes 1,000 write units a second. */
export const keptShards = 4;

/** Questions per condition: 34 bytes each, 4 KB in all. With more, the mark stays. */
const mostCompared = 100;

export const kindsItem = "run";
const runPrefix = "run ~";
export const keptPrefix = "kept ";

export function markPartition(appId: string, trigger: string): { readonly waits: string } {
  return { waits: `${appId} ${trigger}` };
}

function askingMark(appId: string, trigger: string, flowId: string) {
  return { ...markPartition(appId, trigger), flow: runPrefix + flowId };
}

function endedBy(callbackId: string | undefined): Item {
  return callbackId === undefined ? {} : { [endedName(callbackId)]: true };
}

function endedName(callbackId: string) {
  return `ended ${sha256Hex(callbackId).slice(0, 8)}`;
}

export function keptPartition(appId: string, trigger: string, shard: number): { readonly waits: string } {
  return { waits: `${appId} ${trigger} kept ${shard}` };
}

export function earlyPlace(appId: string, trigger: string, messageId: string) {
  const key = { kind: "message", value: messageId.toLowerCase() } as const;
  return { partition: keyPartition(appId, key), prefix: `${keptPrefix}${trigger} ` };
}

export type FlowMarks = ReturnType<typeof createFlowMarks>;

/**
 * Stores marks (which events flows may ask for next), and events received before a flow waited. Repeatable.
 * Methods throw AwsCallError.
 * @param maxWaitMs how long a flow's step is retried during an outage. Default: a day.
 */
export function createFlowMarks(table: Table, now: () => number, maxWaitMs = dayMs) {
  const retention = retentionFor(maxWaitMs);
  const keptFor = (isLong: boolean) => (isLong ? keptLongMs : retention.keptMs);
  return {
    ...createAskingMarks(table, now, retention),
    /** Reads the marks: one read unit. */
    listening: (appId: string, trigger: string) => readListening(table, appId, trigger, now()),

    /** @param isLong a flow for an earlier event may start until events expire: after 31 days */
    keep: async (appId: string, trigger: string, event: KeptEvent, isLong = false) => {
      const shard = Number.parseInt(sha256Hex(event.key).slice(0, 4), 16) % keptShards;
      const partition = keptPartition(appId, trigger, shard);
      await table.put(keptItem(partition, keptPrefix, event, keptFor(isLong), now()));
    },

    keepEarly: async (
      appId: string,
      trigger: string,
      messageId: string,
      event: KeptEvent,
      isLong = false,
    ) => {
      const { partition, prefix } = earlyPlace(appId, trigger, messageId);
      await table.put(keptItem(partition, prefix, event, keptFor(isLong), now()));
    },
  };
}

function createAskingMarks(
  table: Table,
  now: () => number,
  { startSeconds, briefSeconds }: ReturnType<typeof retentionFor>,
) {
  const expirationIn = (seconds: number) => Math.ceil(now() / 1000) + seconds;
  return {
    /** Marks a starting flow, which Lambda begins within six hours: a repetition may come after its end. */
    start: async (appId: string, triggers: readonly string[], flowId: string) => {
      const marks = triggers.map((trigger) => askingMark(appId, trigger, flowId));
      await Promise.all(marks.map((mark) => extend(table, mark, expirationIn(startSeconds))));
    },
    /**
     * Marks that the flow may ask for any of these events next.
     * @param callbackId the question that ended: a `suspend` that does not know it keeps the mark
     */
    begin: async (appId: string, triggers: readonly string[], flowId: string, callbackId?: string) => {
      const set = { expiration: expirationIn(longestSeconds), ...endedBy(callbackId) };
      await Promise.all(triggers.map((trigger) => table.update(askingMark(appId, trigger, flowId), { set })));
    },
    /** Marks a woken flow until it sets its own mark. */
    beginBriefly: async (appId: string, triggers: readonly string[], flowId: string, callbackId: string) => {
      const marks = triggers.map((trigger) => askingMark(appId, trigger, flowId));
      const until = expirationIn(briefSeconds);
      await Promise.all(marks.map((mark) => extend(table, mark, until, endedBy(callbackId))));
    },
    /**
     * Removes the marks while the flow waits for its open questions; keeps them if one has ended or there are
     * too many.
     */
    suspend: async (appId: string, triggers: readonly string[], flowId: string, open: readonly string[]) => {
      if (open.length > mostCompared) return;
      const isNotEnded = open.map((_, index) => `attribute_not_exists(#open${index})`).join(" AND ");
      const names = open.map((callbackId, index) => [`open${index}`, endedName(callbackId)]);
      const condition = open.length > 0 ? when(isNotEnded, {}, Object.fromEntries(names)) : undefined;
      await Promise.all(
        triggers.map((trigger) => table.delete(askingMark(appId, trigger, flowId), condition)),
      );
    },
    end: async (appId: string, triggers: readonly string[], flowId: string) => {
      await Promise.all(triggers.map((trigger) => table.delete(askingMark(appId, trigger, flowId))));
    },
  };
}

/** Extends a mark's life; never shortens it. */
async function extend(table: Table, mark: Item, until: number, attributes?: Item) {
  const isShorter = when("attribute_not_exists(#expiration) OR #expiration < :until", { until });
  const isLonger = when("#expiration >= :until", { until });
  for (;;) {
    const set = { ...attributes, expiration: until };
    if ((await table.update(mark, { set }, isShorter)).ok || attributes === undefined) return;
    // The flow may delete the mark in between.
    if ((await table.update(mark, { set: attributes }, isLonger)).ok) return;
  }
}

async function readListening(
  table: Table,
  appId: string,
  trigger: string,
  nowMs: number,
): Promise<Listening> {
  const range = { from: kindsItem, to: `${runPrefix}~`, limit: 1 + mostMarksRead };
  const items = await table.query(markPartition(appId, trigger), range);
  const kinds = items.find(({ flow }) => flow === kindsItem) ?? {};
  const marks = items.filter(({ flow }) => flow !== kindsItem);
  // DynamoDB deletes expired marks within days.
  const live = marks.filter(({ expiration }) => Number(expiration) * 1000 > nowMs);
  const isMore = marks.length >= mostMarksRead;
  return {
    isOpen: live.length > 0 || isMore,
    kinds: new Set(([...waitKeyKinds, "any"] as const).filter((kind) => Number(kinds[kind] ?? 0) > nowMs)),
  };
}

function keptItem(partition: Item, prefix: string, event: KeptEvent, forMs: number, nowMs: number): Item {
  const { key, receivedAt, text, order } = event;
  const flow = [prefix + sortable(receivedAt), ...(order ? [order] : []), sha256Hex(key).slice(0, 32)].join(
    " ",
  );
  const expiration = Math.ceil((Math.max(nowMs, receivedAt) + forMs) / 1000);
  return { ...partition, flow, key, receivedAt, text, expiration, order };
}

/** With so many marks read, others may exist: the event counts as asked for. */
const mostMarksRead = 4;

export function sortable(ms: number): string {
  return String(Math.trunc(ms)).padStart(15, "0");
}
