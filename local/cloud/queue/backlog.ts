import { createHeap } from "./heap.ts";
import type { StoredMessage } from "./queue-message.ts";

/** A message's place in the queue. */
export interface Entry {
  message: StoredMessage;
  readonly lane: Lane;
  /** Grows with each message that is added. */
  readonly position: number;
  state: "visible" | "inFlight" | "delayed";
  /** When a delayed or hidden message becomes visible. */
  visibleAtMs: number;
  /** When it was last handed out. */
  hiddenAtMs: number;
  isGone: boolean;
}

/** The messages whose order counts, oldest first. Deleted ones stay in the list until its head passes them. */
export interface Lane {
  readonly key: string;
  entries: Entry[];
  head: number;
  inFlight: number;
  /** For which position the lane waits in the heap of ready lanes. */
  offeredAt: number;
}

/** The order of a queue's messages and who of them is free, hidden or delayed. Every step takes logarithmic time. */
export interface Backlog {
  add(message: StoredMessage, lane: string, visibleAtMs: number, nowMs: number): Entry;
  remove(entry: Entry): void;
  /** Makes visible what is due. */
  advance(nowMs: number): void;
  /** Hides a message until a time, whether it is visible or in flight. */
  hide(entry: Entry, nowMs: number, untilMs: number): void;
  /** Makes a delayed or hidden message visible. */
  hasten(entry: Entry, nowMs: number): void;
  /** Takes the lane with the oldest free message, if it is `ofFirst` 120,000 of the queue or that does not matter. */
  takeReadyLane(options: { ofFirst: boolean }): Lane | undefined;
  /** Whether some lane has a free message. */
  hasReadyLane(): boolean;
  /** The messages at a lane's head that are visible. The list is the caller's own. */
  visibleOf(lane: Lane): Entry[];
  /** Makes a lane ready again, if it has a free message. */
  offer(lane: Lane): void;
  oldest(): Entry | undefined;
  entries(): Entry[];
  depth(): { visible: number; inFlight: number; delayed: number };
  nextChangeAtMs(): number | undefined;
  /** Says anew when the messages that are still delayed become visible. */
  reschedule(visibleAtMs: (message: StoredMessage) => number): void;
}

/**
 * A FIFO queue looks for free lanes among this many of its oldest messages; what lies behind them waits.
 * UNVERIFIED: the page does not say whether messages in flight are among them; they are here.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/avoid-backlog-with-the-same-message-group-id.html
 */
const lookedThrough = 120_000;

export function createBacklog(): Backlog {
  const all = new Map<number, Entry>(); // by position, which is also the order of insertion
  const lanes = new Map<string, Lane>();
  const ready = createHeap<{ position: number; lane: Lane }>((one, other) => one.position < other.position);
  const timers = createHeap<{ atMs: number; entry: Entry }>((one, other) => one.atMs < other.atMs);
  let oldestPosition = 0; // a map is slow to find its first entry among deleted ones
  let nextPosition = 0;
  let inFlight = 0;
  let delayed = 0;
  // The oldest 120,000 messages are those before `horizon`.
  let horizon = 0;
  let beforeHorizon = 0;

  const moveHorizon = () => {
    while (beforeHorizon < lookedThrough && horizon < nextPosition) {
      if (all.has(horizon)) beforeHorizon += 1;
      horizon += 1;
    }
  };
  const firstOf = (lane: Lane) => {
    while (lane.entries[lane.head]?.isGone) lane.head += 1;
    if (lane.head > 1000 && lane.head * 2 > lane.entries.length) {
      lane.entries = lane.entries.slice(lane.head);
      lane.head = 0;
    }
    return lane.entries[lane.head];
  };
  const freePositionOf = (lane: Lane) => {
    const first = firstOf(lane);
    return lane.inFlight === 0 && first?.state === "visible" ? first.position : undefined;
  };
  const offer = (lane: Lane) => {
    const position = freePositionOf(lane);
    if (position === undefined || lane.offeredAt === position) return;
    lane.offeredAt = position;
    ready.push({ position, lane });
  };
  const setState = (entry: Entry, state: Entry["state"]) => {
    if (entry.state === "delayed") delayed -= 1;
    if (entry.state === "inFlight") {
      inFlight -= 1;
      entry.lane.inFlight -= 1;
    }
    entry.state = state;
    if (state === "delayed") delayed += 1;
    if (state === "inFlight") {
      inFlight += 1;
      entry.lane.inFlight += 1;
    }
  };
  const wait = (entry: Entry, untilMs: number) => {
    entry.visibleAtMs = untilMs;
    timers.push({ atMs: untilMs, entry });
  };
  const isDue = ({ atMs, entry }: { atMs: number; entry: Entry }) =>
    !entry.isGone && entry.state !== "visible" && entry.visibleAtMs === atMs;

  return {
    add(message, laneKey, visibleAtMs, nowMs) {
      const lane = lanes.get(laneKey) ?? { key: laneKey, entries: [], head: 0, inFlight: 0, offeredAt: -1 };
      lanes.set(laneKey, lane);
      const entry: Entry = {
        message,
        lane,
        position: nextPosition,
        state: "visible",
        visibleAtMs,
        hiddenAtMs: 0,
        isGone: false,
      };
      nextPosition += 1;
      all.set(entry.position, entry);
      lane.entries.push(entry);
      if (visibleAtMs > nowMs) {
        setState(entry, "delayed");
        wait(entry, visibleAtMs);
      } else offer(lane);
      return entry;
    },
    remove(entry) {
      if (entry.isGone) return;
      setState(entry, "visible");
      entry.isGone = true;
      all.delete(entry.position);
      if (entry.position < horizon) beforeHorizon -= 1;
      if (firstOf(entry.lane) === undefined) lanes.delete(entry.lane.key);
      else offer(entry.lane);
    },
    advance(nowMs) {
      for (let next = timers.peek(); next && next.atMs <= nowMs; next = timers.peek()) {
        timers.pop();
        if (!isDue(next)) continue;
        setState(next.entry, "visible");
        offer(next.entry.lane);
      }
    },
    hide(entry, nowMs, untilMs) {
      if (entry.state !== "inFlight") {
        setState(entry, "inFlight");
        entry.hiddenAtMs = nowMs;
      }
      wait(entry, untilMs);
    },
    hasten(entry, nowMs) {
      entry.visibleAtMs = nowMs;
      setState(entry, "visible");
      offer(entry.lane);
    },
    takeReadyLane({ ofFirst }) {
      moveHorizon();
      for (let next = ready.peek(); next; next = ready.peek()) {
        const { position, lane } = next;
        if (freePositionOf(lane) === position && ofFirst && position >= horizon) return undefined;
        ready.pop();
        if (lane.offeredAt === position) lane.offeredAt = -1;
        if (freePositionOf(lane) === position) return lane;
      }
      return undefined;
    },
    hasReadyLane() {
      for (let next = ready.peek(); next; next = ready.peek()) {
        if (freePositionOf(next.lane) === next.position) return true;
        ready.pop();
        if (next.lane.offeredAt === next.position) next.lane.offeredAt = -1;
      }
      return false;
    },
    visibleOf(lane) {
      firstOf(lane);
      const found: Entry[] = [];
      for (let index = lane.head; index < lane.entries.length && found.length < handedOutAtOnce; index += 1) {
        const entry = lane.entries[index];
        if (entry === undefined || entry.isGone) continue;
        if (entry.state !== "visible") break;
        found.push(entry);
      }
      return found;
    },
    offer,
    oldest() {
      while (oldestPosition < nextPosition && !all.has(oldestPosition)) oldestPosition += 1;
      return all.get(oldestPosition);
    },
    entries: () => [...all.values()],
    depth: () => ({ visible: all.size - inFlight - delayed, inFlight, delayed }),
    nextChangeAtMs() {
      for (let next = timers.peek(); next && !isDue(next); next = timers.peek()) timers.pop();
      return timers.peek()?.atMs;
    },
    reschedule(visibleAtMs) {
      if (delayed === 0) return;
      for (const entry of all.values()) {
        if (entry.state === "delayed") wait(entry, visibleAtMs(entry.message));
      }
    },
  };
}

/** As many messages as one call can get, and some more that it may bury. */
const handedOutAtOnce = 20;
