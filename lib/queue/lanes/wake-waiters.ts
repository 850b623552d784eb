import { tryEach } from "../../base/batching.ts";
import { isHeldBack, probePauseMs } from "../../effects/health/breaker.ts";
import type { HealthStore } from "../../effects/health/health-store.ts";
import type { PauseStore } from "../pauses/pause-store.ts";
import type { RoomKey, StoredWaiter, WaitingRoom } from "../pauses/waiting-room.ts";
import { heldBackMs } from "./dead-letter-event.ts";
import { laneOf } from "./lane-record.ts";
import type { NoteWait } from "./lane-services.ts";
import type { LaneStore } from "./lane-store.ts";
import type { Outage } from "./outage-room.ts";
import type { SendTickets, Ticket } from "./ticket.ts";

interface WakeServices {
  readonly room: WaitingRoom;
  readonly sendTickets: SendTickets;
  /** Must not fail for a flow that has ended. Default: no flow waits. */
  readonly wakeFlow?: ((callbackId: string) => Promise<void>) | undefined;
  readonly now: () => number;
}

interface WatchServices extends WakeServices {
  readonly pauseStore: PauseStore;
  readonly noteWait: NoteWait;
}

/** Waiters continue within twice this time. */
const lookMs = 5_000;
/** Shorter than the silence after which a watching process is replaced. */
const noteMs = 20_000;

/**
 * Wakes all waiters once a pause is over. Returns when its ticket is due again; undefined if all are woken.
 * Repeatable: waiters check again.
 * @throws AwsCallError, PauseSettingError
 */
export async function wakeAfterPause(
  roomKey: RoomKey,
  deadlineMs: number,
  services: WatchServices,
): Promise<number | undefined> {
  const { pauseStore, room, noteWait, now } = services;
  const watch = await room.watch(roomKey);
  if (watch?.isOver === true) return undefined;
  const settings = await pauseStore.read(roomKey.appId);
  const [target, pause] = [...settings].find(([, { id }]) => id === roomKey.pauseId) ?? [];
  if (pause !== undefined) {
    // Before waking: a waiter that enters from now on sees that the setting is gone.
    const isOver = now() >= pause.untilMs && (await pauseStore.endIfOver(roomKey.appId, roomKey.pauseId));
    if (!isOver) {
      if (now() - (watch?.seenMs ?? 0) > noteMs) {
        // A listener continues what waits for the end of its lease.
        if (target !== "lease") noteWait(roomKey.appId, pause.sinceMs);
        await room.noteWatch(roomKey);
      }
      return now() + lookMs;
    }
  }
  return wakeWaiters(roomKey, watch?.wokenTo, deadlineMs, services);
}

export const pageSize = 500;
const pageMs = 10_000;
const flowsAtOnce = 20;

/**
 * Wakes waiters in order. Returns when to continue; undefined if all are woken. Repeatable.
 * @throws AwsCallError
 * @param wokenTo the key up to which waiters were woken
 */
export async function wakeWaiters(
  roomKey: RoomKey,
  wokenTo: string | undefined,
  deadlineMs: number,
  services: WakeServices,
): Promise<number | undefined> {
  const { room, sendTickets, now } = services;
  for (let after = wokenTo; ; ) {
    if (now() + pageMs > deadlineMs) return now();
    const waiters = await room.waiters(roomKey, after, pageSize);
    const last = waiters.at(-1);
    if (last === undefined) {
      await room.noteWatch(roomKey, { isOver: true });
      return undefined;
    }
    await sendTickets(ticketsOf(roomKey, waiters));
    const lane = waiters.findLast(({ waiter }) => waiter.kind === "lane");
    if (lane && lane !== last) await room.noteWatch(roomKey, { wokenTo: lane.key });
    await wakeFlows(waiters, services);
    after = last.key;
    await room.noteWatch(roomKey, { wokenTo: after });
  }
}

async function wakeFlows(waiters: readonly StoredWaiter[], { wakeFlow }: WakeServices): Promise<void> {
  const flows = waiters.flatMap(({ waiter }) => (waiter.kind === "flow" ? [waiter.callbackId] : []));
  await tryEach(flows, flowsAtOnce, async (id) => wakeFlow?.(id));
}

export function ticketsOf({ appId }: RoomKey, waiters: readonly StoredWaiter[]): readonly Ticket[] {
  return waiters.flatMap(({ waiter }) =>
    waiter.kind === "lane" ? [{ appId, lane: laneOf(waiter.source, waiter.group, waiter.trigger) }] : [],
  );
}

interface WakeAfterOutageServices extends Omit<WakeServices, "wakeFlow"> {
  readonly healthStore: HealthStore;
  readonly store: LaneStore;
  readonly noteWait: NoteWait;
}

/** A lane wakes after this time, because its event's maximum wait may be over. */
const longestRestMs = 30 * 60_000;
/** The longest time between a lane's entry and its stored state: more than an invocation. */
const enteringMs = 5 * 60_000;
/** DynamoDB reads 100 items in one request. */
const chosenAtOnce = 100;

/**
 * Lets one lane probe the destination every 30 s; any answer wakes all. Returns when its ticket is due again;
 * undefined if all are woken. Repeatable: lanes check again.
 * @throws AwsCallError
 */
export async function wakeAfterOutage(
  roomKey: RoomKey,
  outage: Outage,
  deadlineMs: number,
  services: WakeAfterOutageServices,
): Promise<number | undefined> {
  const { healthStore, room, sendTickets, noteWait, now } = services;
  const watch = await room.watch(roomKey);
  // This ticket may be of a lane that entered after the end and has not stored its state yet.
  if (watch?.isOver === true && (await room.waiters(roomKey, undefined, 1)).length === 0) return undefined;
  const state = (await healthStore.read(roomKey.appId)).destinations.get(outage.destination);
  if (state?.sinceMs !== outage.sinceMs) return wakeWaiters(roomKey, watch?.wokenTo, deadlineMs, services);

  const waiters = await room.waiters(roomKey, watch?.lookedTo, pageSize);
  const isLastPage = waiters.length < pageSize;
  const isProbeDue =
    state.probeAt === undefined
      ? now() >= (watch?.probedMs ?? outage.sinceMs) + probePauseMs
      : now() >= state.probeAt;
  const byRest = waiters.toSorted((one, other) => one.enteredMs - other.enteredMs);
  const restMs = isHeldBack(outage.destination) ? heldBackMs : longestRestMs;
  const due = byRest.filter(({ enteredMs }) => enteredMs <= now() - restMs);
  const chosen = due.length > 0 ? due : isProbeDue ? byRest : [];
  const { waiting, gone } = await findWaiting(roomKey, chosen.slice(0, chosenAtOnce), services);
  for (const waiter of gone) await room.leave(roomKey, waiter);
  const woken = due.length > 0 ? waiting : waiting.slice(0, 1);
  await sendTickets(ticketsOf(roomKey, woken));
  for (const { waiter } of woken) await room.enter(roomKey, waiter);
  if (watch?.lookedTo === undefined && waiters.length === gone.length) {
    await room.noteWatch(roomKey, { isOver: true });
    // A waiter enters, then reads this note, so one of both sees the other.
    if ((await room.waiters(roomKey, undefined, 1)).length === 0) {
      // Those that were held back have ended. What is held back later begins a time of its own.
      if (isHeldBack(outage.destination)) await healthStore.noteOk(roomKey.appId, outage.destination, 0);
      return undefined;
    }
    await room.noteWatch(roomKey, { isOver: false });
  } else if (woken.length > 0 || !isLastPage || now() - (watch?.seenMs ?? 0) > noteMs) {
    noteWait(roomKey.appId, outage.sinceMs);
    const lookedTo = isLastPage ? "" : (waiters.at(-1)?.key ?? "");
    await room.noteWatch(roomKey, { lookedTo, probedMs: woken.length > 0 ? now() : undefined });
  }
  return now() + lookMs;
}

async function findWaiting(
  roomKey: RoomKey,
  waiters: readonly StoredWaiter[],
  { store, now }: Pick<WakeAfterOutageServices, "store" | "now">,
): Promise<{ readonly waiting: readonly StoredWaiter[]; readonly gone: readonly StoredWaiter[] }> {
  const idOf = (waiter: StoredWaiter) => ticketsOf(roomKey, [waiter])[0]?.lane.id ?? "";
  const parked = await store.find(waiters.map(idOf));
  const isHere = (waiter: StoredWaiter) => parked.get(idOf(waiter))?.heldBy === roomKey.pauseId;
  // A lane enters before it stores its state.
  const isLate = ({ enteredMs }: StoredWaiter) => enteredMs < now() - enteringMs;
  // An event that failed by itself before shows less than one that never had its turn.
  const hasFailed = (waiter: StoredWaiter) => {
    const { deaths = 0, tries = {} } = parked.get(idOf(waiter))?.head?.progress ?? {};
    return deaths > 0 || Object.keys(tries).length > 0;
  };
  const here = waiters.filter(isHere);
  return {
    waiting: [...here.filter((one) => !hasFailed(one)), ...here.filter(hasFailed)],
    gone: waiters.filter((waiter) => !isHere(waiter) && isLate(waiter)),
  };
}
