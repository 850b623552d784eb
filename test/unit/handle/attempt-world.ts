import type { LogFields } from "../../../lib/base/log.ts";
import { type Connection, openConnection } from "../../../lib/chat/compose.ts";
import { createAppHealth } from "../../../lib/effects/health/app-health.ts";
import { createHealthStore } from "../../../lib/effects/health/health-store.ts";
import { createLedger, createOccurrenceMemory } from "../../../lib/effects/ledger.ts";
import { createShadowStore } from "../../../lib/effects/shadow/shadow-settings.ts";
import { identify } from "../../../lib/events/identity.ts";
import { attemptEvent } from "../../../lib/handle/attempt-event.ts";
import type { AttemptServices } from "../../../lib/handle/attempt-run.ts";
import { createHangMemory } from "../../../lib/handle/hang-memory.ts";
import { isWanted, onTrigger, type Trigger, type TriggerTable } from "../../../lib/handle/on-trigger.ts";
import { createCallTable, createCallTracker } from "../../../lib/handle/phone-calls/call-tracker.ts";
import { createEventNotices } from "../../../lib/handle/read-events.ts";
import { createHolds } from "../../../lib/queue/lanes/holds.ts";
import { type LaneRecord, laneOf } from "../../../lib/queue/lanes/lane-record.ts";
import type { Attempt, AttemptOutcome } from "../../../lib/queue/lanes/lane-services.ts";
import { createLaneStore } from "../../../lib/queue/lanes/lane-store.ts";
import { maxTries, noProgress, type Progress } from "../../../lib/queue/lanes/progress.ts";
import type { Ticket } from "../../../lib/queue/lanes/ticket.ts";
import { createTriggerLanes } from "../../../lib/queue/lanes/trigger-lanes.ts";
import { createPauseStore } from "../../../lib/queue/pauses/pause-store.ts";
import { createWaitingRoom } from "../../../lib/queue/pauses/waiting-room.ts";
import { toQueuedBody } from "../../../lib/queue/queued-event.ts";
import type { DeadLetterContent } from "../../../lib/queue/send-dead-letter.ts";
import { events } from "../../../local/testing/events/events.ts";
import { createJumpingTime } from "../../helpers/jumping-time.ts";
import { createTestAnswers, createTestGuard } from "../../helpers/loop-guard.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";
import { noOutside } from "../../helpers/no-outside.ts";

export const startMs = Date.UTC(2026, 2, 2, 8);
export const hourMs = 60 * 60_000;

export interface AttemptOptions {
  readonly receivedAt?: number;
  readonly progress?: Partial<Progress>;
  readonly record?: Partial<LaneRecord>;
  readonly since?: number;
  /** Default: 1970. */
  readonly laneSince?: number;
  /** It comes out of the lane of this trigger alone. */
  readonly group?: string;
  readonly laneOfTrigger?: string;
  /** Replaces the body's key. */
  readonly key?: string;
  /** Replaces the body: the queue's message, unchanged. */
  readonly message?: unknown;
}

/** A message that Ann sent to Bela. */
export const body = events.messageSent({ id: "1", text: "hello", sender: "ann", receiver: "bela" });

/** What the log names in each line about an attempt at it. */
export const namesOfBody = {
  appId: "app-1",
  trigger: "message_sent",
  deliveryKey: "app-1|message_sent|1",
  queueMessageId: "m-1",
  attempt: 1,
};

export const reply = { receiver: "ann", receiverType: "user", text: "hi", onBehalfOf: "support" } as const;

/** A trigger that sends that reply. */
export const replying = onTrigger(["message_sent", "user_blocked"], async ({ effects }) => {
  await effects.sendText("reply", reply);
});

/** Trigger lanes that accept everything and store nothing. */
export const noTriggerLanes: AttemptServices["triggerLanes"] = {
  findParked: async () => new Map(),
  appendIfWaiting: async () => undefined,
  move: async () => undefined,
};

export const idle = (): void => undefined;

/** Services whose triggers record their runs in `runs`, then act as the test sets. */
export function createNotingWorld(
  acts: Readonly<Record<string, Trigger | (() => void | Promise<void>)>>,
  more?: Partial<AttemptServices>,
) {
  const runs: string[] = [];
  const noting = Object.entries(acts).map(([name, act]) => {
    if (typeof act !== "function") return [name, act] as const;
    const run = async () => {
      runs.push(name);
      await act();
    };
    return [name, onTrigger("message_sent", run)] as const;
  });
  return { ...createAttemptWorld(Object.fromEntries(noting), more), runs };
}

/** All that an attempt uses: tables in memory, a platform that answers from `answer`, time that jumps. */
export function createAttemptWorld(triggers: TriggerTable, more: Partial<AttemptServices> = {}) {
  const time = createJumpingTime(startMs);
  let passedMs = 0;
  const now = () => time.now() + passedMs;
  const effects = createMemoryTable("id");
  const lanes = createMemoryTable("lane", "item");
  const healthStore = createHealthStore(lanes, now);
  const requests: { readonly method: string; readonly path: string }[] = [];
  const traceparents: (string | null)[] = [];
  const platform: { answer: (path: string) => Response | Promise<Response> } = {
    answer: () => Response.json({ data: { id: String(9000 + requests.length) } }),
  };
  const asked: string[] = [];
  const quarantined: unknown[][] = [];
  const deadLetters: DeadLetterContent[] = [];
  const counted: unknown[][] = [];
  /** When effects were reported as successful. */
  const successes: number[] = [];
  const log: { readonly level: string; readonly message: string; readonly fields: LogFields }[] = [];
  /** The log at level DEBUG. */
  const details: typeof log = [];
  const at = (level: string) => (message: string, fields: LogFields) =>
    void log.push({ level, message, fields });
  let tokens = 0;
  const tickets: Ticket[] = [];
  const store = createLaneStore(lanes, now);
  const room = createWaitingRoom(lanes, now);
  const pauseStore = createPauseStore(lanes, now, () => `pause-${++tokens}`);

  const connect = (appId: string): Connection =>
    openConnection({
      appId,
      region: "eu",
      apiKey: "a-test-key",
      now,
      sleep: time.sleep,
      random: () => 0,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const path = new URL(request.url).pathname;
        requests.push({ method: request.method, path });
        traceparents.push(request.headers.get("traceparent"));
        const ended = new Promise<never>((_, reject) => {
          init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        });
        return Promise.race([platform.answer(path), ended]);
      },
    });

  const processLog = {
    log: {
      debug: (message: string, fields: LogFields) => void details.push({ level: "debug", message, fields }),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
    },
    count: (...call: unknown[]) => void counted.push(call),
    now,
  };
  const services: AttemptServices = {
    hangs: createHangMemory(now),
    off: {},
    waker: { isListed: () => false, wake: async () => true },
    recordIfCanary: async () => false,
    ...processLog,
    notices: createEventNotices(processLog),
    triggers,
    shadowed: new Set(),
    known: new Set(Object.keys(triggers)),
    connectionOf: async (appId) => {
      asked.push(appId);
      return connect(appId);
    },
    calls: createCallTracker({
      table: createCallTable(createMemoryTable("call", "fact"), now),
      scheduleCheck: async () => undefined,
      isWanted: (name) => isWanted(Object.values(triggers), name),
    }),
    ledger: createLedger({ table: effects, now }),
    loopGuardOf: (appId) => createTestGuard(appId, effects),
    answers: createTestAnswers({ table: effects, now }),
    secretOf: noOutside.secret,
    filesOf: async (appId) => ({ appId, apiKey: "a-key" }),
    outsideOf: () => noOutside.outside,
    occurrences: createOccurrenceMemory(effects),
    stateTable: createMemoryTable("id"),
    triggerLanes: createTriggerLanes({
      triggerNames: Object.keys(triggers),
      store,
      sendTicket: async (ticket) => void tickets.push(ticket),
      holds: createHolds({
        pauseStore,
        healthStore,
        room,
        sendRoomTicket: async () => undefined,
        now,
      }),
      now,
    }),
    quarantine: async (...call) => void quarantined.push(call),
    sendDeadLetter: async (content) => void deadLetters.push(content),
    sleep: time.sleep,
    random: () => 0,
    token: () => `token-${++tokens}`,
    maxWaitMs: 24 * hourMs,
    actsOnOldEvents: false,
    ...more,
  };

  async function toAttempt(body: object, options: AttemptOptions): Promise<Attempt> {
    const identity = identify(body, "app-1");
    const { family, trigger, key, canRecur } = identity ?? { family: "webhook", trigger: "?", key: "?" };
    const queued = {
      v: 1,
      appId: "app-1",
      family,
      trigger,
      key: options.key ?? key,
      ...(canRecur && { canRecur }),
      receivedAt: options.receivedAt ?? startMs,
      ...(await toQueuedBody(Buffer.from(JSON.stringify(body)))),
    };
    const health = createAppHealth({
      appId: "app-1",
      record: await healthStore.read("app-1"),
      store: healthStore,
      now,
    });
    const lane = laneOf("events", options.group ?? "lane-1", options.laneOfTrigger);
    return {
      record: { messageId: "m-1", messageBody: "", sequence: "1", ...options.record },
      ticket: { appId: "app-1", lane },
      message: "message" in options ? options.message : queued,
      progress: options.progress === undefined ? noProgress : { ...noProgress, ...options.progress },
      since: options.since ?? now(),
      laneSince: options.laneSince ?? 0,
      maxTries,
      health: { ...health, noteSuccess: () => void successes.push(now()) },
    };
  }

  const attempt = async (body: object, options: AttemptOptions = {}): Promise<AttemptOutcome> =>
    attemptEvent(await toAttempt(body, options), services);

  return {
    time,
    now,
    connect: async (appId: string) => connect(appId),
    /** Lets time pass between two attempts. */
    pass: (ms: number) => {
      passedMs += ms;
    },
    platform,
    requests,
    /** Each request's traceparent. */
    traceparents,
    asked,
    quarantined,
    /** The parts that were dead-lettered. */
    deadLetters,
    counted,
    successes,
    log,
    details,
    healthStore,
    /** Dead-letters so many events of the app in this minute that the next waits. */
    stopDeadLetters: async () => {
      const { health } = await toAttempt(body, {});
      for (let lane = 0; lane < 30; lane += 1) await health.mayDeadLetter(`lane ${lane}`);
    },
    /** The tables of effects and lanes. */
    tables: { effects, lanes },
    shadow: createShadowStore(lanes),
    pauses: pauseStore,
    /** The events in a trigger's lane. */
    beside: (triggerName: string) => store.first(laneOf("events", "lane-1", triggerName).id, 100),
    stateOfTriggerLane: async (triggerName: string) => {
      const { id } = laneOf("events", "lane-1", triggerName);
      return (await store.find([id])).get(id);
    },
    tickets,
    /** Tries to handle an event, without any time passing. */
    attempt,
    /** The same, and advances the time that it takes. */
    attemptInTime: (body: object, options?: AttemptOptions) => time.passUntil(attempt(body, options)),
  };
}
