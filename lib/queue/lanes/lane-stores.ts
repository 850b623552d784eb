import type { Table } from "../../aws/table.ts";
import { createHealthStore } from "../../effects/health/health-store.ts";
import { createWaitingRoom } from "../pauses/waiting-room.ts";
import { createLaneStore } from "./lane-store.ts";

export function openLaneStores(lanes: Table, now: () => number) {
  return {
    lanes,
    healthStore: createHealthStore(lanes, now),
    store: createLaneStore(lanes, now),
    room: createWaitingRoom(lanes, now),
  };
}
