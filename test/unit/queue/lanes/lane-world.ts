import type { Table } from "../../../../lib/aws/table.ts";
import type { LogFields } from "../../../../lib/base/log.ts";
import { createAppHealth } from "../../../../lib/effects/health/app-health.ts";
import { createHealthStore } from "../../../../lib/effects/health/health-store.ts";
import { createHolds } from "../../../../lib/queue/lanes/holds.ts";
import { type LaneRecord, laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import {
  type Attempt,
  type AttemptOutcome,
  createNoteWait,
  eventLimitMs,
  type LaneServices,
} from "../../../../lib/queue/lanes/lane-services.ts";
import { createLaneStore, type NewlyParked } from "../../../../lib/queue/lanes/lane-store.ts";
import { noProgress, type Progress } from "../../../../lib/queue/lanes/progress.ts";
import { resumeLane } from "../../../../lib/queue/lanes/resume-lane.ts";
import type { Ticket } from "../../../../lib/queue/lanes/ticket.ts";
import { createPauseStore } from "../../../../lib/queue/pauses/pause-store.ts";
import { createWaitingRoom, type RoomKey } from "../../../../lib/queue/pauses/waiting-room.ts";
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

export const done: AttemptOutcome = { kind: "done" };

export function burial(progress: Partial<Progress> = {}): AttemptOutcome {
  return {
    kind: "dead-letter",
    reason: "permanent",
    cause: "refused",
    progress: { ...noProgress, ...progress },
  };
}

/** Everything that lanes use, on a table in memory; events succeed unless `attempts.answer` is set. */
export let world = createLaneWorld();

export function renewWorld(): void {
  world = createLaneWorld();
}

function createLaneWorld() {
  const time = { nowMs: startMs };
  const memory = createMemoryTable("lane", "item");
  const asked: string[] = [];
  const faults: { table?: (operation: keyof Table) => Error | undefined; bury?: Error; sendTicket?: Error } =
    {};
  const table = new Proxy<Table>(memory, {
    get:
      (target, operation: keyof Table) =>
      async (...args: never[]) => {
        asked.push(operation);
        const fault = faults.table?.(operation);
        if (fault) throw fault;
        return Reflect.apply(target[operation], undefined, args);
      },
  });
  const now = () => time.nowMs;
  const healthStore = createHealthStore(table, now);
  const attempts: {
    readonly seen: Attempt[];
    answer: (attempt: Attempt) => AttemptOutcome | Promise<AttemptOutcome>;
  } = { seen: [], answer: () => done };
  const tickets: { readonly ticket: Ticket; readonly nowMs: number; readonly isParked: boolean }[] = [];
  const buried: DeadLetterContent[] = [];
  const log: { readonly level: string; readonly message: string; readonly fields: LogFields }[] = [];
  const at = (level: string) => (message: string, fields: LogFields) =>
    void log.push({ level, message, fields });
  const counted: unknown[] = [];
  let tokens = 0;
  const token = () => `token-${++tokens}`;
  /** Pauses whose watch was requested. */
  const sentFor: RoomKey[] = [];
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
    // As in a separate invocation, without memory of an earlier one.
    get holds() {
      const sendRoomTicket = async (of: RoomKey) => void sentFor.push(of);
      return createHolds({ pauseStore, healthStore, room, sendRoomTicket, now });
    },
    sendDeadLetter: async (message) => {
      if (faults.bury) throw faults.bury;
      buried.push(message);
    },
    noteWait: createNoteWait({ count: (name, dimensions) => void counted.push([name, dimensions]), now }),
    log: { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") },
    now,
    sleep: async (ms) => {
      time.nowMs += ms;
    },
    maxWaitMs,
    token,
  };

  const health = async (lease?: string) => {
    const record = await healthStore.read("app-1");
    return createAppHealth({ appId: "app-1", record, store: healthStore, now, lease });
  };

  const tried = () => attempts.seen.map(({ record }) => record.messageId);
  const parked = async (id: string = laneId) =>
    (await createLaneStore(memory, now).first(id, 100)).map(({ messageId }) => messageId);

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
    tried,
    tickets,
    buried,
    log,
    counted,
    health,
    /** The messages that wait on the table, in order. */
    parked,
    /** Both. */
    ids: async (id?: string) => ({ tried: tried(), parked: await parked(id) }),
    stateOf: async (id: string = laneId) => (await createLaneStore(memory, now).find([id])).get(id),
    /** The operations requested of the table. */
    asked,
    /** Makes only this operation of the table fail, or none. */
    failTable: (failing?: keyof Table, error = new Error("no table")) => {
      faults.table = (operation) => (operation === failing ? error : undefined);
    },
    /** Puts events of these numbers onto the table, and parks their lane. */
    putParked: async (numbers: readonly number[], more: Partial<NewlyParked> = {}, id = laneId) => {
      for (const number of numbers) await services.store.put(id, recordOf(number));
      await services.store.park(id, { wakeAt: startMs, since: 1, head: undefined, ...more });
    },
    /** Continues a lane as the holder of its ticket does. */
    resume: async (of = ticket, deadlineMs = now() + 10 * eventLimitMs, lease?: string) =>
      resumeLane({ ticket: of, health: await health(lease), deadlineMs }, services),
    /** Dead-letters so many events of the app in this minute that the next waits. */
    stopDeadLetters: async () => {
      const known = await health();
      for (let lane = 0; lane < 30; lane += 1) await known.mayDeadLetter(`lane ${lane}`);
    },
  };
}
