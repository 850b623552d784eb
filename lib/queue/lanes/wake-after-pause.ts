import { sideBySide } from "../../base/side-by-side.ts";
import type { PauseStore } from "../pauses/pause-store.ts";
import type { RoomKey, SeatedGuest, WaitingRoom } from "../pauses/waiting-room.ts";
import { laneOf } from "./lane-record.ts";
import type { SendTickets, Ticket } from "./ticket.ts";

export interface WatchServices extends WakeServices {
  readonly pauseStore: PauseStore;
}

/** Guests continue within twice that. */
export const lookMs = 5_000;
/** Less than the silence after which a watch is replaced. */
export const noteMs = 20_000;

/**
 * Wakes all guests once a pause is over. Returns when its ticket is due again; undefined if all are woken.
 * Repeatable: guests check again.
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
    // Before waking: a guest that enters from now on sees that the setting is gone.
    const isOver = now() >= pause.untilMs && (await pauseStore.endIfOver(of.appId, of.pauseId));
    if (!isOver) {
      if (now() - (watch?.seenMs ?? 0) > noteMs) await room.noteWatch(of);
      return now() + lookMs;
    }
  }
  return wakeGuests(of, watch?.wokenTo, deadlineMs, services);
}

export interface WakeServices {
  readonly room: WaitingRoom;
  readonly sendTickets: SendTickets;
  /** A flow that has ended is no failure. Default: no flow waits. */
  readonly wakeFlow?: ((callbackId: string) => Promise<void>) | undefined;
  readonly now: () => number;
}

export const pageSize = 500;
const pageMs = 10_000;
const flowsAtOnce = 20;

/**
 * Returns when to continue; undefined if all are woken. Repeatable.
 * @throws AwsCallError
 * @param wokenTo the seat up to which guests are woken
 */
export async function wakeGuests(
  of: RoomKey,
  wokenTo: string | undefined,
  deadlineMs: number,
  services: WakeServices,
): Promise<number | undefined> {
  const { room, now } = services;
  for (let after = wokenTo; ; ) {
    if (now() + pageMs > deadlineMs) return now();
    const guests = await room.guests(of, after, pageSize);
    const last = guests.at(-1);
    if (last === undefined) {
      await room.noteWatch(of, { isOver: true });
      return undefined;
    }
    await wake(of, guests, services);
    after = last.seat;
    await room.noteWatch(of, { wokenTo: after });
  }
}

async function wake(
  of: RoomKey,
  guests: readonly SeatedGuest[],
  { sendTickets, wakeFlow }: WakeServices,
): Promise<void> {
  const flows = guests.flatMap(({ guest }) => (guest.kind === "flow" ? [guest.callbackId] : []));
  await sideBySide(flows, flowsAtOnce, async (id) => {
    await wakeFlow?.(id);
  });
  await sendTickets(ticketsOf(of, guests));
}

export function ticketsOf({ appId }: RoomKey, guests: readonly SeatedGuest[]): readonly Ticket[] {
  return guests.flatMap(({ guest }) =>
    guest.kind === "lane" ? [{ appId, lane: laneOf(guest.source, guest.group, guest.trigger) }] : [],
  );
}
