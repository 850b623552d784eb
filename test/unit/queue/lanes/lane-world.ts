import type { Table } from "../../../../lib/aws/table.ts";
import type { LogFields } from "../../../../lib/base/log.ts";
import { createAppHealth } from "../../../../lib/effects/health/app-health.ts";
import { createHealthStore } from "../../../../lib/effects/health/health-store.ts";
import type { Attempt, AttemptOutcome, LaneServices } from "../../../../lib/queue/lanes/attempt.ts";
import { type LaneRecord, laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import { createLaneStore } from "../../../../lib/queue/lanes/lane-store.ts";
import { createPauseWait } from "../../../../lib/queue/lanes/pause-wait.ts";
import { noProgress, type Progress } from "../../../../lib/queue/lanes/progress.ts";
import type { Ticket } from "../../../../lib/queue/lanes/ticket.ts";
import { createPauseStore } from "../../../../lib/queue/pauses/pause-store.ts";
import { createWaitingRoom, type RoomOf } from "../../../../lib/queue/pauses/waiting-room.ts";
import type { DeadLetterContent } from "../../../../lib/queue/send-dead-letter.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

export const startMs = Date.UTC(2026, 2, 2, 8);
export const hourMs = 60 * 60_000;
export const maxWaitMs = 24 * hourMs;

export const ticket: Ticket = { appId: "app-1", lane: laneOf("events", "lane-1") };
export const { id: laneId } = ticket.lane;

/** The text of the n-th event of an app, as the receiver writes it. */
export function bodyOf(number: number, more: { appId?: string; receivedAt?: number } = {}): string {
  const facts = { appId: "app-1", trigger: "message_sent", key: `key-${number}`, receivedAt: startMs };
  return JSON.stringify({ ...facts, ...more });
}

/** The n-th event of a lane. */
export function recordOf(number: number, more: Partial<LaneRecord> = {}): LaneRecord {
  return {
    messageId: `m-${number}`,
    messageBody: bodyOf(number),
    sequence: String(number).padStart(40, "0"),
    ...more,
  };
}

export function wait(wakeAt: number, progress: Partial<Progress> = {}): AttemptOutcome {
  return { kind: "wait", wakeAt, progress: { ...noProgress, waits: 1, ...progress } };
}

export function burial(progress: Partial<Progress> = {}): AttemptOutcome {
  return {
    kind: "dead-letter",
    reason: "permanent",
    cause: "refused",
    progress: { ...noProgress, ...progress },
  };
}

/** Everything that lanes touch, on a table in memory; every event is handled at once, unless `attempts.answer` says otherwise. */
export function createLaneWorld() {
  const time = { nowMs: startMs };
  const memory = createMemoryTable("lane", "item");
  const writes: string[] = [];
  const faults: { table?: (operation: keyof Table) => Error | undefined; bury?: Error; sendTicket?: Error } =
    {};
  const table = withFaults(memory, (operation) => {
    writes.push(operation);
    const fault = faults.table?.(operation);
    if (fault) throw fault;
  });
  const now = () => time.nowMs;
  const healthStore = createHealthStore(table, now);
  const attempts: {
    readonly seen: Attempt[];
    answer: (attempt: Attempt) => AttemptOutcome | Promise<AttemptOutcome>;
  } = { seen: [], answer: () => ({ kind: "done" }) };
  const tickets: { readonly ticket: Ticket; readonly nowMs: number; readonly isParked: boolean }[] = [];
  const buried: DeadLetterContent[] = [];
  const log: { readonly level: string; readonly message: string; readonly fields: LogFields }[] = [];
  const at = (level: string) => (message: string, fields: LogFields) =>
    void log.push({ level, message, fields });
  let tokens = 0;
  const token = () => `token-${++tokens}`;
  /** Pauses for whose end somebody was sent for. */
  const sentFor: RoomOf[] = [];
  const room = createWaitingRoom(table, now);
  const pauseStore = createPauseStore(table, now, token);

  const services: LaneServices = {
    attemptEvent: async (attempt) => {
      attempts.seen.push(attempt);
      return attempts.answer(attempt);
    },
    store: createLaneStore(table, now),
    sendTicket: async (sent) => {
      if (faults.sendTicket) throw faults.sendTicket;
      tickets.push({
        ticket: sent,
        nowMs: now(),
        isParked: memory.items().some(({ item }) => item === "state"),
      });
    },
    // As in an invocation of its own: nothing is remembered of an earlier one.
    get pauseWait() {
      const sendPauseTicket = async (of: RoomOf) => void sentFor.push(of);
      return createPauseWait({ pauseStore, healthStore, room, sendPauseTicket, now });
    },
    sendDeadLetter: async (message) => {
      if (faults.bury) throw faults.bury;
      buried.push(message);
    },
    log: { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") },
    now,
    sleep: async (ms) => {
      time.nowMs += ms;
    },
    maxWaitMs,
    token,
  };

  return {
    time,
    pauses: pauseStore,
    room,
    sentFor,
    table: memory,
    faults,
    services,
    healthStore,
    attempts,
    /** The messages that were tried, in order. */
    tried: () => attempts.seen.map(({ record }) => record.messageId),
    tickets,
    buried,
    log,
    health: async () =>
      createAppHealth({ appId: "app-1", record: await healthStore.read("app-1"), store: healthStore, now }),
    /** The messages that wait on the table, in order. */
    parked: async (id: string = laneId) =>
      (await createLaneStore(memory, now).first(id, 100)).map(({ messageId }) => messageId),
    stateOf: async (id: string = laneId) => (await createLaneStore(memory, now).find([id])).get(id),
    /** What was asked of the table, without its answers. */
    asked: writes,
  };
}

export type LaneWorld = ReturnType<typeof createLaneWorld>;

function withFaults(table: Table, before: (operation: keyof Table) => void): Table {
  const guarded = <Args extends readonly unknown[], T>(
    operation: keyof Table,
    act: (...args: Args) => Promise<T>,
  ) => {
    return async (...args: Args): Promise<T> => {
      before(operation);
      return act(...args);
    };
  };
  return {
    get: guarded("get", table.get),
    batchGet: guarded("batchGet", table.batchGet),
    put: guarded("put", table.put),
    update: guarded("update", table.update),
    delete: guarded("delete", table.delete),
    query: guarded("query", table.query),
  };
}
