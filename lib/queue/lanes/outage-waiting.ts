import { openingStreak, triggerOf } from "../../effects/health/breaker.ts";
import type { HealthStore } from "../../effects/health/health-store.ts";
import type { StoredWaiter, WaitingRoom } from "../pauses/waiting-room.ts";
import { silentMs } from "./holds.ts";
import { conversationIdOf } from "./lane-record.ts";
import type { LaneStore, ParkedLane } from "./lane-store.ts";
import { type OutageRoom, outageRooms } from "./outage-room.ts";
import { ticketsOf } from "./wake-waiters.ts";

export interface OutageServices {
  readonly healthStore: HealthStore;
  readonly room: WaitingRoom;
  readonly store: LaneStore;
  readonly now: () => number;
}

export interface OutageWaiting {
  readonly of: OutageRoom;
  readonly laneIds: readonly string[];
  readonly isAll: boolean;
  /** The start of the earliest trouble. */
  readonly oldestMs: number;
  readonly cause: string | undefined;
  /** False if the room's ticket seems lost, so that a success wakes no lanes. */
  readonly isWatched: boolean;
}

/** DynamoDB limit per request. */
const pageSize = 100;

/** Also reads lanes that still retry by their own tickets. @throws AwsCallError */
export async function readOutageWaiting(
  appId: string,
  services: OutageServices,
  triggers: readonly string[],
  mostLooked = Number.POSITIVE_INFINITY,
): Promise<readonly OutageWaiting[]> {
  const found: OutageWaiting[] = [];
  for (const outageRoom of await outageRooms(appId, services)) {
    const one = await readRoom(outageRoom, services, triggers, mostLooked);
    if (one !== undefined) found.push(one);
  }
  return found;
}

async function readRoom(
  outageRoom: OutageRoom,
  { room, store, now }: OutageServices,
  triggers: readonly string[],
  mostLooked: number,
): Promise<OutageWaiting | undefined> {
  const laneIds: string[] = [];
  const causes: string[] = [];
  let oldestMs = now();
  const add = (id: string, lane: ParkedLane) => {
    laneIds.push(id);
    oldestMs = Math.min(oldestMs, lane.since ?? now());
    causes.push(lane.head?.progress.cause ?? "");
  };
  let looked = 0;
  let page: readonly StoredWaiter[];
  let after: string | undefined;
  do {
    page = await room.waiters(outageRoom, after, pageSize);
    for (const [id, lane] of await store.find(ticketsOf(outageRoom, page).map(({ lane: { id } }) => id))) {
      if (lane.heldBy === outageRoom.pauseId) add(id, lane);
    }
    looked += page.length;
    after = page.at(-1)?.key;
  } while (page.length === pageSize && looked < mostLooked);
  const inRoom = laneIds.length;
  const { destination } = outageRoom.outage;
  const hanging = triggerOf(destination);
  const names = hanging === undefined ? triggers : [hanging];
  const failedLast = outageRoom.streakLanes.flatMap((id) => [id, ...names.map((name) => `${id} ${name}`)]);
  for (const [id, lane] of await store.find(failedLast)) {
    const pending = Object.values(lane.head?.progress.pending ?? {});
    const isOfHanging = hanging !== undefined && id !== conversationIdOf(id);
    const isPending =
      pending.some((one) => one.destination === destination) || (isOfHanging && pending.length === 0);
    if (lane.heldBy === undefined && isPending) add(id, lane);
  }
  if (laneIds.length === 0) return undefined;
  const watch = await room.watch(outageRoom);
  return {
    of: outageRoom,
    laneIds,
    oldestMs,
    isAll:
      page.length < pageSize && (laneIds.length === inRoom || outageRoom.streakLanes.length < openingStreak),
    cause: causes.find((text) => text !== ""),
    // A lane that has just begun to wait is about to send a ticket.
    isWatched:
      inRoom === 0 ||
      now() - Math.max(watch?.isOver === true ? 0 : (watch?.seenMs ?? 0), oldestMs) <= silentMs,
  };
}
