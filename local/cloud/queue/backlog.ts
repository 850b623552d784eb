import { createHeap } from "./heap.ts";
import type { StoredMessage } from "./queue-message.ts";

export interface Entry {
  message: StoredMessage;
  readonly lane: Lane;
  readonly position: number;
  state: "visible" | "inFlight" | "delayed";
  visibleAtMs: number;
  hiddenAtMs: number;
  isGone: boolean;
}

interface Lane {
  readonly key: string;
  entries: Entry[];
  head: number;
  inFlight: number;
  offeredAt: number;
}

/**
 * A FIFO queue searches these oldest messages for free lanes. UNVERIFIED: messages in flight are among them.
 * @see
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/avoid-backlog-with-the-same-message-group-id.html
 */
const lookedThrough = 120_000;

/** One call's maximum, and some to dead-letter. */
const handedOutAtOnce = 20;

export interface PeekedMessage extends StoredMessage {
  readonly state: Entry["state"];
  readonly visibleAtMs: number;
}

/** Waiting messages; each step takes logarithmic time. */
export class Backlog {
  readonly #all = new Map<number, Entry>();
  readonly #lanes = new Map<string, Lane>();
  readonly #ready = createHeap<{ position: number; lane: Lane }>(
    (one, other) => one.position < other.position,
  );
  readonly #timers = createHeap<{ atMs: number; entry: Entry }>((one, other) => one.atMs < other.atMs);
  /** Kept because finding a map's first entry is slow after deletions. */
  #oldestPosition = 0;
  #nextPosition = 0;
  readonly #count = { visible: 0, inFlight: 0, delayed: 0 };
  /** Position after the oldest 120,000 messages. */
  #horizon = 0;
  #beforeHorizon = 0;

  add(message: StoredMessage, laneKey: string, visibleAtMs: number, nowMs: number): Entry {
    const lane = this.#lanes.get(laneKey) ?? {
      key: laneKey,
      entries: [],
      head: 0,
      inFlight: 0,
      offeredAt: -1,
    };
    this.#lanes.set(laneKey, lane);
    const isDelayed = visibleAtMs > nowMs;
    const entry: Entry = {
      message,
      lane,
      position: this.#nextPosition,
      visibleAtMs,
      hiddenAtMs: 0,
      isGone: false,
      state: isDelayed ? "delayed" : "visible",
    };
    this.#count[entry.state] += 1;
    this.#nextPosition += 1;
    this.#all.set(entry.position, entry);
    lane.entries.push(entry);
    if (isDelayed) this.#wait(entry, visibleAtMs);
    else this.offer(lane);
    return entry;
  }

  remove(entry: Entry): void {
    if (entry.isGone) return;
    this.#setState(entry, "visible");
    this.#count.visible -= 1;
    entry.isGone = true;
    this.#all.delete(entry.position);
    if (entry.position < this.#horizon) this.#beforeHorizon -= 1;
    if (firstOf(entry.lane) === undefined) this.#lanes.delete(entry.lane.key);
    else this.offer(entry.lane);
  }

  advance(nowMs: number): void {
    for (let next = this.#timers.peek(); next && next.atMs <= nowMs; next = this.#timers.peek()) {
      this.#timers.pop();
      if (!isDue(next)) continue;
      this.#setState(next.entry, "visible");
      this.offer(next.entry.lane);
    }
  }

  hide(entry: Entry, nowMs: number, untilMs: number): void {
    if (entry.state !== "inFlight") {
      this.#setState(entry, "inFlight");
      entry.hiddenAtMs = nowMs;
    }
    this.#wait(entry, untilMs);
  }

  hasten(entry: Entry, nowMs: number): void {
    entry.visibleAtMs = nowMs;
    this.#setState(entry, "visible");
    this.offer(entry.lane);
  }

  /** Takes the lane with the oldest free message; with `ofFirst`, among the oldest 120,000. */
  takeReadyLane({ ofFirst }: { ofFirst: boolean }): Lane | undefined {
    while (this.#beforeHorizon < lookedThrough && this.#horizon < this.#nextPosition) {
      if (this.#all.has(this.#horizon)) this.#beforeHorizon += 1;
      this.#horizon += 1;
    }
    const next = this.#nextReady();
    if (next === undefined || (ofFirst && next.position >= this.#horizon)) return undefined;
    this.#dropReady();
    return next.lane;
  }

  hasReadyLane(): boolean {
    return this.#nextReady() !== undefined;
  }

  visibleOf(lane: Lane): Entry[] {
    firstOf(lane);
    const found: Entry[] = [];
    for (let index = lane.head; index < lane.entries.length && found.length < handedOutAtOnce; index += 1) {
      const entry = lane.entries[index];
      if (entry === undefined || entry.isGone) continue;
      if (entry.state !== "visible") break;
      found.push(entry);
    }
    return found;
  }

  offer(lane: Lane): void {
    const position = freePositionOf(lane);
    if (position === undefined || lane.offeredAt === position) return;
    lane.offeredAt = position;
    this.#ready.push({ position, lane });
  }

  oldest(): Entry | undefined {
    while (this.#oldestPosition < this.#nextPosition && !this.#all.has(this.#oldestPosition)) {
      this.#oldestPosition += 1;
    }
    return this.#all.get(this.#oldestPosition);
  }

  entries(): Entry[] {
    return [...this.#all.values()];
  }

  depth(): { visible: number; inFlight: number; delayed: number } {
    return { ...this.#count };
  }

  nextChangeAtMs(): number | undefined {
    let next = this.#timers.peek();
    for (; next && !isDue(next); next = this.#timers.peek()) this.#timers.pop();
    return next?.atMs;
  }

  reschedule(visibleAtMs: (message: StoredMessage) => number): void {
    if (this.#count.delayed === 0) return;
    for (const entry of this.#all.values()) {
      if (entry.state === "delayed") this.#wait(entry, visibleAtMs(entry.message));
    }
  }

  #nextReady() {
    let next = this.#ready.peek();
    for (; next && freePositionOf(next.lane) !== next.position; next = this.#ready.peek()) this.#dropReady();
    return next;
  }

  #dropReady() {
    const dropped = this.#ready.pop();
    if (dropped && dropped.lane.offeredAt === dropped.position) dropped.lane.offeredAt = -1;
  }

  #setState(entry: Entry, state: Entry["state"]) {
    this.#count[entry.state] -= 1;
    this.#count[state] += 1;
    entry.lane.inFlight += Number(state === "inFlight") - Number(entry.state === "inFlight");
    entry.state = state;
  }

  #wait(entry: Entry, untilMs: number) {
    entry.visibleAtMs = untilMs;
    this.#timers.push({ atMs: untilMs, entry });
  }
}

function firstOf(lane: Lane) {
  while (lane.entries[lane.head]?.isGone) lane.head += 1;
  if (lane.head > 1000 && lane.head * 2 > lane.entries.length) {
    lane.entries = lane.entries.slice(lane.head);
    lane.head = 0;
  }
  return lane.entries[lane.head];
}

function freePositionOf(lane: Lane) {
  const first = firstOf(lane);
  return lane.inFlight === 0 && first?.state === "visible" ? first.position : undefined;
}

function isDue({ atMs, entry }: { atMs: number; entry: Entry }) {
  return !entry.isGone && entry.state !== "visible" && entry.visibleAtMs === atMs;
}
