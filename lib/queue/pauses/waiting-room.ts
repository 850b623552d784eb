import { type Item, type Table, when } from "../../aws/table.ts";
import { sha256Hex } from "../../base/digest.ts";
import { isLaneSource, type LaneSource } from "../lanes/lane-record.ts";

export type Waiter =
  | {
      readonly kind: "lane";
      readonly source: LaneSource;
      readonly group: string;
      readonly trigger?: string | undefined;
    }
  | {
      readonly kind: "flow";
      readonly flowId: string;
      /** Lambda's callback, which wakes the flow when completed. */
      readonly callbackId: string;
      /** Flows wake in order of arrival. */
      readonly cameMs: number;
    };

export interface StoredWaiter {
  readonly key: string;
  readonly waiter: Waiter;
  readonly enteredMs: number;
}

export interface Watch {
  /** The time of the last check. */
  readonly seenMs: number;
  /** The key up to which waiters were woken. */
  readonly wokenTo: string | undefined;
  readonly isOver: boolean;
  /** The key up to which waiters were read meanwhile. */
  readonly lookedTo?: string | undefined;
  readonly probedMs?: number | undefined;
}

export interface RoomKey {
  readonly appId: string;
  readonly pauseId: string;
}

/** Longer than any pause, and than waiters are kept. */
const rememberedSeconds = 16 * 24 * 60 * 60;

const watchItem = "watch";

export type WaitingRoom = ReturnType<typeof createWaitingRoom>;

/** For lanes and flows that wait for the end of a pause or outage. Repeatable. Methods throw AwsCallError. */
export function createWaitingRoom(lanes: Table, now: () => number) {
  const partitionOf = ({ appId, pauseId }: RoomKey): Item => ({ lane: `waiting ${appId} ${pauseId}` });
  const watchKey = (roomKey: RoomKey): Item => ({ ...partitionOf(roomKey), item: watchItem });
  const expiration = () => Math.ceil(now() / 1000) + rememberedSeconds;

  return {
    enter: async (roomKey: RoomKey, waiter: Waiter) => {
      const { kind: _kind, ...facts } = waiter;
      const place = { ...partitionOf(roomKey), item: waiterKey(waiter) };
      await lanes.put({ ...place, ...facts, enteredMs: now(), expiration: expiration() });
    },

    leave: async (roomKey: RoomKey, { key, enteredMs }: StoredWaiter) => {
      const isSame = when("#enteredMs = :enteredMs", { enteredMs });
      await lanes.delete({ ...partitionOf(roomKey), item: key }, isSame);
    },

    waiters: async (
      roomKey: RoomKey,
      after: string | undefined,
      limit: number,
    ): Promise<readonly StoredWaiter[]> => {
      const from = after === undefined ? "lane " : `${after}\u0000`;
      const items = await lanes.query(partitionOf(roomKey), { from, to: "run ~", limit });
      return items.flatMap(readWaiter);
    },

    /** Returns undefined if no process was ever requested to watch. */
    watch: async (roomKey: RoomKey): Promise<Watch | undefined> => {
      const item = await lanes.get(watchKey(roomKey));
      if (item === undefined) return undefined;
      const { seenMs, wokenTo, isOver, lookedTo, probedMs } = item;
      return {
        seenMs: typeof seenMs === "number" ? seenMs : 0,
        wokenTo: typeof wokenTo === "string" ? wokenTo : undefined,
        isOver: isOver === true,
        lookedTo: typeof lookedTo === "string" && lookedTo !== "" ? lookedTo : undefined,
        probedMs: typeof probedMs === "number" ? probedMs : undefined,
      };
    },

    noteWatch: async (roomKey: RoomKey, change: Partial<Omit<Watch, "seenMs">> = {}) => {
      await lanes.update(watchKey(roomKey), { set: { seenMs: now(), ...change, expiration: expiration() } });
    },
  };
}

/** Sorts lanes first: they need no callback of Lambda. Branches of one flow may arrive together. */
function waiterKey(waiter: Waiter) {
  if (waiter.kind === "flow") {
    const { cameMs, flowId, callbackId } = waiter;
    return `run ${String(cameMs).padStart(15, "0")} ${flowId} ${sha256Hex(callbackId).slice(0, 16)}`;
  }
  const { source, group, trigger } = waiter;
  return ["lane", source, group, ...(trigger === undefined ? [] : [trigger])].join(" ");
}

function readWaiter(item: Item): readonly StoredWaiter[] {
  const { item: key, enteredMs, source, group, trigger, flowId, callbackId, cameMs } = item;
  if (typeof key !== "string" || typeof enteredMs !== "number") return [];
  if (isLaneSource(source) && typeof group === "string") {
    const waiter = {
      kind: "lane",
      source,
      group,
      trigger: typeof trigger === "string" ? trigger : undefined,
    } as const;
    return [{ key, waiter, enteredMs }];
  }
  if (typeof flowId === "string" && typeof callbackId === "string" && typeof cameMs === "number") {
    return [{ key, waiter: { kind: "flow", flowId, callbackId, cameMs }, enteredMs }];
  }
  return [];
}
