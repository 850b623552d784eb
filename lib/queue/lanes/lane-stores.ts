import type { Table } from "../../aws/table.ts";
import { createHealthStore } from "../../effects/health/health-store.ts";
import { createWaitingRoom } from "../pauses/waiting-room.ts";
import { createLaneStore } from "./lane-store.ts";

/** For an operator: all that the lanes table holds. */
export function openLaneStores(lanes: Table, now: () => number) {
  return {
    lanes,
    healthStore: createHealthStore(lanes, now),
    store: createLaneStore(lanes, now),
    room: createWaitingRoom(lanes, now),
  };
}
