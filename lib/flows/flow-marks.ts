import type { Item, Table } from "../aws/table.ts";
import { sha256Hex } from "../base/digest.ts";
import { longestSeconds } from "./flow-length.ts";
import { keyPartition, type WaitKeyKind } from "./wait-keys.ts";

/** An event that was kept, as a flow gets it. */
export interface KeptEvent {
  /** Names the fact: equal for two deliveries of it. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The event, as `toFlowText` writes it. */
  readonly text: string;
}

/** How questions are kept: by a key of the event, or with all others that name none. */
export type WaitKind = WaitKeyKind | "any";

/** What is known of an app's flows before its questions for an event's name are read. */
export interface Listening {
  /** A flow that lists the name is between two questions: it may ask for any event of the name next. */
  readonly isOpen: boolean;
  /** A flow of an earlier version may run: it finds its events, and keeps its questions, in their former places. */
  readonly isFormer: boolean;
  /** The kinds of which a question may be open. */
  readonly kinds: ReadonlySet<WaitKind>;
}

/**
 * Remembers on the flows table which events running flows may ask for, and those events: what came between a flow's
 * question and its waiting is found there.
 * All throw AwsCallError when the table cannot be reached; all may be repeated.
 */
export interface FlowMarks {
  /** Notes that a flow is about to be started, perhaps on code of an earlier version. */
  start(appId: string, triggers: readonly string[], flowId: string): Promise<void>;
  /**
   * Notes that a flow may ask for any of these events next.
   * @param callbackId of the question whose end it is: the mark stays while `rest` does not know of that
   */
  begin(appId: string, triggers: readonly string[], flowId: string, callbackId?: string): Promise<void>;
  /** Notes the same for a flow that is about to note it itself: the mark ends by itself after a day. */
  beginBriefly(appId: string, triggers: readonly string[], flowId: string, callbackId: string): Promise<void>;
  /** Notes that a flow asks for nothing but what its open questions say, unless one of these has its answer. */
  rest(appId: string, triggers: readonly string[], flowId: string, open: readonly string[]): Promise<void>;
  /** Notes that a flow is over. */
  end(appId: string, triggers: readonly string[], flowId: string): Promise<void>;
  /** Returns what running flows may ask for of an event's name. Reads one read unit. */
  listening(appId: string, trigger: string): Promise<Listening>;
  /** Keeps an event for two days; for 31 if what it answers may start that late. */
  keep(appId: string, trigger: string, event: KeptEvent, how?: KeepOptions): Promise<void>;
  /** Keeps an event on a message for the flow that the message may start. */
  keepEarly(appId: string, trigger: string, messageId: string, event: KeptEvent): Promise<void>;
}

export interface KeepOptions {
  /** A flow may be started for an earlier event as long as events are acted on. */
  readonly isLong?: boolean;
  /** Where flows of an earlier version look. */
  readonly isFormer?: boolean;
}

const dayMs = 24 * 60 * 60_000;
/** A step that meets trouble is tried for a day; what came since its first try is there afterwards. */
const keptMs = 2 * dayMs;
/** Events are acted on for 30 days after their receipt (lib/queue/message-facts.ts). */
const keptLongMs = 31 * dayMs;
/** A flow that was woken is tried for a day until it has written down what it got. */
const briefSeconds = 26 * 60 * 60;

/** What is kept of a name is spread over so many partitions, each of which takes 1,000 write units a second. */
export const keptShards = 4;

/** Before all marks of flows, in the order of the sort key. */
export const kindsItem = "run";
export const formerPrefix = "run ";
/** Behind those of earlier versions: a flow's name begins with a letter. Earlier consumers take them for their own. */
export const runPrefix = "run ~";
export const keptPrefix = "kept ";

/** Names the partition of the marks of an event's name, where earlier versions kept its events, too. */
export function markPartition(appId: string, trigger: string): { readonly waits: string } {
  return { waits: `${appId} ${trigger}` };
}

function askingMark(appId: string, trigger: string, flowId: string) {
  return { ...markPartition(appId, trigger), flow: runPrefix + flowId };
}

/** Names what says on a mark that a question has ended. Short: a mark has one for each until it is taken away. */
function endedName(callbackId: string): string {
  return `ended ${sha256Hex(callbackId).slice(0, 8)}`;
}

/** Names one of the partitions of what is kept of an event's name. */
export function keptPartition(appId: string, trigger: string, shard: number): { readonly waits: string } {
  return { waits: `${appId} ${trigger} kept ${shard}` };
}

/** Names the place of what is kept of a message for the flow that it starts. */
export function earlyPlace(appId: string, trigger: string, messageId: string) {
  const key = { kind: "message", value: messageId.toLowerCase() } as const;
  return { partition: keyPartition(appId, key), prefix: `${keptPrefix}${trigger} ` };
}

/** Keeps them on a table whose key is `waits` and `flow`. */
export function createFlowMarks(table: Table, now: () => number): FlowMarks {
  const mark = async (appId: string, triggers: readonly string[], flow: string, seconds: number) => {
    const expiration = Math.ceil(now() / 1000) + seconds;
    await Promise.all(
      triggers.map((trigger) => table.put({ ...markPartition(appId, trigger), flow, expiration })),
    );
  };
  const markAsking = async (
    appId: string,
    triggers: readonly string[],
    flowId: string,
    seconds: number,
    callbackId?: string,
  ) => {
    const ended = callbackId !== undefined && { [endedName(callbackId)]: true };
    const set = { expiration: Math.ceil(now() / 1000) + seconds, ...ended };
    await Promise.all(triggers.map((trigger) => table.update(askingMark(appId, trigger, flowId), { set })));
  };
  const write = async (partition: Item, prefix: string, event: KeptEvent, forMs: number) => {
    const { key, receivedAt, text } = event;
    const flow = `${prefix}${sortable(receivedAt)} ${sha256Hex(key).slice(0, 32)}`;
    const expiration = Math.ceil((Math.max(now(), receivedAt) + forMs) / 1000);
    await table.put({ ...partition, flow, key, receivedAt, text, expiration });
  };
  return {
    start: (appId, triggers, flowId) => mark(appId, triggers, formerPrefix + flowId, longestSeconds),
    begin: (appId, triggers, flowId, callbackId) =>
      markAsking(appId, triggers, flowId, longestSeconds, callbackId),
    beginBriefly: (appId, triggers, flowId, callbackId) =>
      markAsking(appId, triggers, flowId, briefSeconds, callbackId),
    rest: async (appId, triggers, flowId, open) => {
      const names = open.map((callbackId, index) => [`#open${index}`, endedName(callbackId)] as const);
      const isNoneEnded = {
        expression: names.map(([name]) => `attribute_not_exists(${name})`).join(" AND "),
        names: Object.fromEntries(names),
      };
      await Promise.all(
        triggers.map((trigger) =>
          table.delete(askingMark(appId, trigger, flowId), open.length > 0 ? isNoneEnded : undefined),
        ),
      );
    },
    end: async (appId, triggers, flowId) => {
      const marks = triggers.flatMap((trigger) =>
        [runPrefix, formerPrefix].map((prefix) => ({
          ...markPartition(appId, trigger),
          flow: prefix + flowId,
        })),
      );
      await Promise.all(marks.map((key) => table.delete(key)));
    },
    listening: async (appId, trigger) => {
      const items = await table.query(markPartition(appId, trigger), {
        from: kindsItem,
        to: `${runPrefix}~`,
        limit: 1 + mostOver,
      });
      const kinds = items.find(({ flow }) => flow === kindsItem) ?? {};
      const marks = items.filter(({ flow }) => flow !== kindsItem);
      // Those whose time is over are deleted within days. Should there be many, one behind them may count.
      const live = marks.filter(({ expiration }) => Number(expiration) * 1000 > now());
      const isMore = marks.length >= mostOver;
      return {
        isOpen: live.length > 0 || isMore,
        isFormer: live.some(({ flow }) => !String(flow).startsWith(runPrefix)) || (isMore && !live.length),
        kinds: new Set(
          (["message", "sender", "conversation", "place", "any"] as const).filter(
            (kind) => Number(kinds[kind] ?? 0) > now(),
          ),
        ),
      };
    },
    keep: async (appId, trigger, event, { isLong = false, isFormer = false } = {}) => {
      const shard = Number.parseInt(sha256Hex(event.key).slice(0, 4), 16) % keptShards;
      const partition = isFormer ? markPartition(appId, trigger) : keptPartition(appId, trigger, shard);
      await write(partition, keptPrefix, event, isLong ? keptLongMs : keptMs);
    },
    keepEarly: async (appId, trigger, messageId, event) => {
      const { partition, prefix } = earlyPlace(appId, trigger, messageId);
      await write(partition, prefix, event, keptLongMs);
    },
  };
}

/** A flow's marks whose time is over and that are not deleted yet are read past, up to so many. */
const mostOver = 4;

/** Texts in the order of their times. */
export function sortable(ms: number): string {
  return String(Math.trunc(ms)).padStart(15, "0");
}
