import type { PauseStore } from "../pauses/pause-store.ts";
import type { RoomOf, SeatedGuest, WaitingRoom } from "../pauses/waiting-room.ts";
import { type LaneSource, laneOf } from "./lane-record.ts";
import type { Ticket } from "./ticket.ts";

export interface WatchServices {
  readonly pauseStore: Pick<PauseStore, "read" | "endIfOver">;
  readonly room: WaitingRoom;
  /** Sends up to any number of tickets. @throws AwsCallError unless all were taken */
  readonly sendTickets: (tickets: readonly Ticket[]) => Promise<void>;
  /** Wakes a flow by its callback; one that is over is no failure. */
  readonly wakeFlow: (callbackId: string) => Promise<void>;
  readonly now: () => number;
}

/** How often it is looked whether a pause is over: what waits goes on within twice that. */
const lookMs = 5_000;
/** How often whoever looks says so: less than what makes others send for somebody else (lib/lanes/pause-wait.ts). */
const noteMs = 20_000;
/** Guests that are woken between two notes of how far it came. */
const pageSize = 500;
/** What a page may take, with some room. */
const pageMs = 10_000;
/** So many flows are woken at once. */
const flowsAtOnce = 20;

/**
 * Looks whether a pause is over, and wakes everybody who waits for that. Gives the moment from which its ticket is due
 * again, in milliseconds since 1970; undefined when all are woken. May be repeated: then some are woken twice, and look again.
 * @throws AwsCallError, PauseSettingError
 */
export async function watchPause(
  of: RoomOf,
  deadlineMs: number,
  services: WatchServices,
): Promise<number | undefined> {
  const { pauseStore, room, now } = services;
  const watch = await room.watch(of);
  if (watch?.isOver === true) return undefined;
  const settings = await pauseStore.read(of.appId);
  const pause = [...settings.values()].find(({ id }) => id === of.pauseId);
  if (pause !== undefined) {
    // The setting is taken away before anybody is woken: whoever enters the room from now on sees that it is gone.
    const isOver = now() >= pause.untilMs && (await pauseStore.endIfOver(of.appId, of.pauseId));
    if (!isOver) {
      if (now() - (watch?.seenMs ?? 0) > noteMs) await room.noteWatch(of);
      return now() + lookMs;
    }
  }
  for (let after = watch?.wokenTo; ; ) {
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
  { appId }: RoomOf,
  guests: readonly SeatedGuest[],
  { sendTickets, wakeFlow }: WatchServices,
): Promise<void> {
  const flows = guests.flatMap(({ guest }) => (guest.kind === "flow" ? [guest.callbackId] : []));
  for (let start = 0; start < flows.length; start += flowsAtOnce) {
    await Promise.all(flows.slice(start, start + flowsAtOnce).map(wakeFlow));
  }
  const tickets = guests.flatMap(({ guest }): Ticket[] =>
    guest.kind === "lane" && isLaneSource(guest.source)
      ? [{ appId, lane: laneOf(guest.source, guest.group, guest.trigger) }]
      : [],
  );
  await sendTickets(tickets);
}

function isLaneSource(source: string): source is LaneSource {
  return source === "events" || source === "calls";
}
