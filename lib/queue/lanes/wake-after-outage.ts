import type { HealthStore } from "../../effects/health/health-store.ts";
import type { RoomKey, SeatedGuest } from "../pauses/waiting-room.ts";
import type { LaneStore } from "./lane-store.ts";
import { type Outage, outageRoomOf } from "./outage-room.ts";
import { lookMs, noteMs, pageSize, ticketsOf, type WakeServices, wakeGuests } from "./wake-after-pause.ts";

export interface WakeAfterOutageServices extends Omit<WakeServices, "wakeFlow"> {
  readonly healthStore: HealthStore;
  readonly store: LaneStore;
}

/** If no breaker sets it. */
const probeMs = 30_000;
/** Its event's maximum wait may be over. */
const longestRestMs = 30 * 60_000;
/** From a lane's seat to the record that it waits there: more than an invocation. */
const enteringMs = 5 * 60_000;
/** DynamoDB reads 100 items in one request. */
const chosenAtOnce = 100;

/**
 * Lets one lane every 30 s probe the destination; any answer wakes all. Returns when its ticket is due again;
 * undefined if all are woken. Repeatable: lanes check again.
 * @throws AwsCallError
 */
export async function wakeAfterOutage(
  of: RoomKey,
  outage: Outage,
  deadlineMs: number,
  services: WakeAfterOutageServices,
): Promise<number | undefined> {
  const { healthStore, room, sendTickets, now } = services;
  const watch = await room.watch(of);
  // A lane that entered after the end may have sent this ticket before its state is recorded.
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
  for (const { guest } of woken) await room.enter(of, guest);
  if (watch?.lookedTo === undefined && guests.length === gone.length) {
    await room.noteWatch(of, { isOver: true });
    // A guest writes its seat, then reads this note: one of the two sees the other.
    if ((await room.guests(of, undefined, 1)).length === 0) return undefined;
    await room.noteWatch(of, { isOver: false });
  } else if (woken.length > 0 || !isLastPage || now() - (watch?.seenMs ?? 0) > noteMs) {
    const lookedTo = isLastPage ? "" : (guests.at(-1)?.seat ?? "");
    await room.noteWatch(of, { lookedTo, probedMs: woken.length > 0 ? now() : undefined });
  }
  return now() + lookMs;
}

async function findWaiting(
  of: RoomKey,
  guests: readonly SeatedGuest[],
  { store, now }: Pick<WakeAfterOutageServices, "store" | "now">,
): Promise<{ readonly waiting: readonly SeatedGuest[]; readonly gone: readonly SeatedGuest[] }> {
  const idOf = (guest: SeatedGuest) => ticketsOf(of, [guest])[0]?.lane.id ?? "";
  const parked = await store.find(guests.map(idOf));
  const isHere = (guest: SeatedGuest) => parked.get(idOf(guest))?.heldBy === of.pauseId;
  // A lane takes its seat before its state.
  const isLate = ({ enteredMs }: SeatedGuest) => enteredMs < now() - enteringMs;
  return {
    waiting: guests.filter(isHere),
    gone: guests.filter((guest) => !isHere(guest) && isLate(guest)),
  };
}

export interface OutageRoom extends RoomKey {
  readonly outage: Outage;
  /** Conversations that failed there last. */
  readonly streakLanes: readonly string[];
}

export async function outageRooms(
  appId: string,
  { healthStore }: Pick<WakeAfterOutageServices, "healthStore">,
): Promise<readonly OutageRoom[]> {
  const { destinations } = await healthStore.read(appId);
  return [...destinations].flatMap(([destination, { sinceMs, streakLanes }]) => {
    if (sinceMs === undefined) return [];
    const outage = { destination, sinceMs };
    return [{ appId, pauseId: outageRoomOf(outage), outage, streakLanes }];
  });
}
