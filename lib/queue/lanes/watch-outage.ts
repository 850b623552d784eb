import type { HealthStore } from "../../effects/health/health-store.ts";
import type { RoomOf, SeatedGuest, WaitingRoom } from "../pauses/waiting-room.ts";
import type { LaneStore } from "./lane-store.ts";
import { type Outage, outageRoomOf } from "./outage-room.ts";
import type { Ticket } from "./ticket.ts";
import { ticketsOf, wakeGuests } from "./wake-guests.ts";

export interface WatchOutageServices {
  readonly healthStore: Pick<HealthStore, "read">;
  readonly store: Pick<LaneStore, "find">;
  readonly room: WaitingRoom;
  /** Sends up to any number of tickets. @throws AwsCallError unless all were taken */
  readonly sendTickets: (tickets: readonly Ticket[]) => Promise<void>;
  readonly now: () => number;
}

/** How often it is looked whether the destination answered somebody. */
const lookMs = 5_000;
/** One lane in this time finds out whether the destination answers again, where no breaker says when that may be. */
const probeMs = 30_000;
/** Every lane tries again at least this often: its event may have waited for as long as it may. */
const longestRestMs = 30 * 60_000;
/** Guests that are looked at at a time. */
const pageSize = 500;
/** What a lane may take between its seat and saying that it waits there: more than an invocation. */
const enteringMs = 5 * 60_000;
/** Guests that are looked up at once; DynamoDB reads 100 items in one request. */
const chosenAtOnce = 100;
/** How often whoever looks says so: less than what makes others send for somebody else (lib/queue/lanes/pause-wait.ts). */
const noteMs = 20_000;

/**
 * Looks after an outage: has one lane every 30 s find out whether the destination answers again, and wakes all when it answered
 * anybody. Gives the moment from which its ticket is due again, in milliseconds since 1970; undefined when all are woken.
 * May be repeated: then some are woken twice, and look again.
 * @throws AwsCallError
 */
export async function watchOutage(
  of: RoomOf,
  outage: Outage,
  deadlineMs: number,
  services: WatchOutageServices,
): Promise<number | undefined> {
  const { healthStore, room, sendTickets, now } = services;
  const watch = await room.watch(of);
  // A lane that entered after it was over may have sent for this ticket and not be able to say so yet.
  if (watch?.isOver === true && (await room.guests(of, undefined, 1)).length === 0) return undefined;
  const state = (await healthStore.read(of.appId)).destinations.get(outage.destination);
  if (state?.sinceMs !== outage.sinceMs) return wakeGuests(of, watch?.wokenTo, deadlineMs, services);

  const guests = await room.guests(of, watch?.lookedTo, pageSize);
  const isLastPage = guests.length < pageSize;
  const isProbeDue =
    state.probeAt === undefined
      ? now() >= (watch?.probedMs ?? outage.sinceMs) + probeMs
      : now() >= state.probeAt;
  const byRest = guests.toSorted((one, other) => one.enteredMs - other.enteredMs);
  const due = byRest.filter(({ enteredMs }) => enteredMs <= now() - longestRestMs);
  const chosen = due.length > 0 ? due : isProbeDue ? byRest : [];
  const { waiting, gone } = await findWaiting(of, chosen.slice(0, chosenAtOnce), services);
  for (const guest of gone) await room.leave(of, guest);
  const woken = due.length > 0 ? waiting : waiting.slice(0, 1);
  await sendTickets(ticketsOf(of, woken));
  // It is not their turn again before the others had theirs.
  for (const { guest } of woken) await room.enter(of, guest);
  if (watch?.lookedTo === undefined && guests.length === gone.length) {
    await room.noteWatch(of, { isOver: true });
    // Whoever enters writes its seat and then reads this note: one of the two sees the other.
    if ((await room.guests(of, undefined, 1)).length === 0) return undefined;
    await room.noteWatch(of, { isOver: false });
  } else if (woken.length > 0 || !isLastPage || now() - (watch?.seenMs ?? 0) > noteMs) {
    const lookedTo = isLastPage ? "" : (guests.at(-1)?.seat ?? "");
    await room.noteWatch(of, { lookedTo, ...(woken.length > 0 && { probedMs: now() }) });
  }
  return now() + lookMs;
}

/** Tells those who wait here still from those who went on, or wait for something else now. */
async function findWaiting(
  of: RoomOf,
  guests: readonly SeatedGuest[],
  { store, now }: Pick<WatchOutageServices, "store" | "now">,
): Promise<{ readonly waiting: readonly SeatedGuest[]; readonly gone: readonly SeatedGuest[] }> {
  const parked = await store.find(guests.map((guest) => ticketsOf(of, [guest])[0]?.lane.id ?? ""));
  const isHere = (guest: SeatedGuest) =>
    parked.get(ticketsOf(of, [guest])[0]?.lane.id ?? "")?.heldBy === of.pauseId;
  // A lane takes its seat before it says that it waits here.
  const isLate = ({ enteredMs }: SeatedGuest) => enteredMs < now() - enteringMs;
  return {
    waiting: guests.filter(isHere),
    gone: guests.filter((guest) => !isHere(guest) && isLate(guest)),
  };
}

/** The room of one outage, and that outage. */
export interface OutageRoom extends RoomOf {
  readonly outage: Outage;
}

/** Names the rooms of an app in which lanes wait for destinations. */
export async function outageRooms(
  appId: string,
  { healthStore }: Pick<WatchOutageServices, "healthStore">,
): Promise<readonly OutageRoom[]> {
  const { destinations } = await healthStore.read(appId);
  return [...destinations].flatMap(([destination, { sinceMs }]) => {
    if (sinceMs === undefined) return [];
    const outage = { destination, sinceMs };
    return [{ appId, pauseId: outageRoomOf(outage), outage }];
  });
}
