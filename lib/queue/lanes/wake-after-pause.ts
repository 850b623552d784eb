import { mapConcurrently } from "../../base/batching.ts";
import type { PauseStore } from "../pauses/pause-store.ts";
import type { RoomKey, StoredWaiter, WaitingRoom } from "../pauses/waiting-room.ts";
import { laneOf } from "./lane-record.ts";
import type { SendTickets, Ticket } from "./ticket.ts";

export interface WatchServices extends WakeServices {
  readonly pauseStore: PauseStore;
}

/** Waiters continue within twice this time. */
export const lookMs = 5_000;
/** Shorter than the silence after which a watching process is replaced. */
export const noteMs = 20_000;

/**
 * Wakes all waiters once a pause is over. Returns when its ticket is due again; undefined if all are woken.
 * Repeatable: waiters check again.
 * @throws AwsCallError, PauseSettingError
 */
export async function wakeAfterPause(
  of: RoomKey,
  deadlineMs: number,
  services: WatchServices,
): Promise<number | undefined> {
  const { pauseStore, room, now } = services;
  const watch = await room.watch(of);
  if (watch?.isOver === true) return undefined;
  const settings = await pauseStore.read(of.appId);
  const pause = [...settings.values()].find(({ id }) => id === of.pauseId);
  if (pause !== undefined) {
    // Before waking: a waiter that enters from now on sees that the setting is gone.
    const isOver = now() >= pause.untilMs && (await pauseStore.endIfOver(of.appId, of.pauseId));
    if (!isOver) {
      if (now() - (watch?.seenMs ?? 0) > noteMs) await room.noteWatch(of);
      return now() + lookMs;
    }
  }
  return wakeWaiters(of, watch?.wokenTo, deadlineMs, services);
}

export interface WakeServices {
  readonly room: WaitingRoom;
  readonly sendTickets: SendTickets;
  /** Must not fail for a flow that has ended. Default: no flow waits. */
  readonly wakeFlow?: ((callbackId: string) => Promise<void>) | undefined;
  readonly now: () => number;
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
  of: RoomKey,
  wokenTo: string | undefined,
  deadlineMs: number,
  services: WakeServices,
): Promise<number | undefined> {
  const { room, now } = services;
  for (let after = wokenTo; ; ) {
    if (now() + pageMs > deadlineMs) return now();
    const waiters = await room.waiters(of, after, pageSize);
    const last = waiters.at(-1);
    if (last === undefined) {
      await room.noteWatch(of, { isOver: true });
      return undefined;
    }
    await wake(of, waiters, services);
    after = last.key;
    await room.noteWatch(of, { wokenTo: after });
  }
}

async function wake(
  of: RoomKey,
  waiters: readonly StoredWaiter[],
  { sendTickets, wakeFlow }: WakeServices,
): Promise<void> {
  const flows = waiters.flatMap(({ waiter }) => (waiter.kind === "flow" ? [waiter.callbackId] : []));
  await mapConcurrently(flows, flowsAtOnce, async (id) => {
    await wakeFlow?.(id);
  });
  await sendTickets(ticketsOf(of, waiters));
}

export function ticketsOf({ appId }: RoomKey, waiters: readonly StoredWaiter[]): readonly Ticket[] {
  return waiters.flatMap(({ waiter }) =>
    waiter.kind === "lane" ? [{ appId, lane: laneOf(waiter.source, waiter.group, waiter.trigger) }] : [],
  );
}
