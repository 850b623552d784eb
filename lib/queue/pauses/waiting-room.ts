import { type Item, type Table, when } from "../../aws/table.ts";
import { isLaneSource, type LaneSource } from "../lanes/lane-record.ts";

export type Guest =
  | {
      readonly kind: "lane";
      readonly source: LaneSource;
      readonly group: string;
      readonly trigger?: string | undefined;
    }
  | {
      readonly kind: "flow";
      readonly flowId: string;
      /** Lambda's: completing it wakes the flow. */
      readonly callbackId: string;
      /** Flows wake in order of arrival. */
      readonly cameMs: number;
    };

export interface SeatedGuest {
  readonly seat: string;
  readonly guest: Guest;
  /** Last entered. */
  readonly enteredMs: number;
}

export interface Watch {
  /** Last check. */
  readonly seenMs: number;
  /** The seat up to which guests were woken; an empty text resets it. */
  readonly wokenTo: string | undefined;
  /** All guests were woken. */
  readonly isOver: boolean;
  /** The seat up to which guests were read meanwhile. */
  readonly lookedTo?: string | undefined;
  /** The last probe. */
  readonly probedMs?: number | undefined;
}

export interface RoomKey {
  readonly appId: string;
  readonly pauseId: string;
}

/** Longer than any pause, and than guests are kept. */
const rememberedSeconds = 16 * 24 * 60 * 60;

const watchItem = "watch";

export type WaitingRoom = ReturnType<typeof createWaitingRoom>;

/** Guests wait for the end of a pause or an outage. Repeatable. Methods throw AwsCallError. */
export function createWaitingRoom(lanes: Table, now: () => number) {
  const partitionOf = ({ appId, pauseId }: RoomKey): Item => ({ lane: `waiting ${appId} ${pauseId}` });
  const watchKey = (of: RoomKey): Item => ({ ...partitionOf(of), item: watchItem });
  const expiration = () => Math.ceil(now() / 1000) + rememberedSeconds;

  return {
    enter: async (of: RoomKey, guest: Guest): Promise<void> => {
      const { kind: _kind, ...facts } = guest;
      const place = { ...partitionOf(of), item: seatOf(guest) };
      await lanes.put({ ...place, ...facts, enteredMs: now(), expiration: expiration() });
    },

    /** Unless it entered again. */
    leave: async (of: RoomKey, { seat, enteredMs }: SeatedGuest): Promise<void> => {
      const isSame = when("#enteredMs = :enteredMs", { enteredMs });
      await lanes.delete({ ...partitionOf(of), item: seat }, isSame);
    },

    guests: async (
      of: RoomKey,
      after: string | undefined,
      limit: number,
    ): Promise<readonly SeatedGuest[]> => {
      const from = after === undefined ? "flow " : `${after}\u0000`;
      const items = await lanes.query(partitionOf(of), { from, to: "lane ~", limit });
      return items.flatMap(readGuest);
    },

    /** Undefined if none was ever requested. */
    watch: async (of: RoomKey): Promise<Watch | undefined> => {
      const item = await lanes.get(watchKey(of));
      if (item === undefined) return undefined;
      const { seenMs, wokenTo, isOver, lookedTo, probedMs } = item;
      return {
        seenMs: typeof seenMs === "number" ? seenMs : 0,
        wokenTo: typeof wokenTo === "string" && wokenTo !== "" ? wokenTo : undefined,
        isOver: isOver === true,
        lookedTo: typeof lookedTo === "string" && lookedTo !== "" ? lookedTo : undefined,
        probedMs: typeof probedMs === "number" ? probedMs : undefined,
      };
    },

    noteWatch: async (of: RoomKey, change: Partial<Omit<Watch, "seenMs">> = {}): Promise<void> => {
      await lanes.update(watchKey(of), { set: { seenMs: now(), ...change, expiration: expiration() } });
    },
  };
}

/** Flows first, by arrival. */
function seatOf(guest: Guest): string {
  if (guest.kind === "flow") return `flow ${String(guest.cameMs).padStart(15, "0")} ${guest.flowId}`;
  const { source, group, trigger } = guest;
  return ["lane", source, group, ...(trigger === undefined ? [] : [trigger])].join(" ");
}

function readGuest(item: Item): readonly SeatedGuest[] {
  const { item: seat, enteredMs, source, group, trigger, flowId, callbackId, cameMs } = item;
  if (typeof seat !== "string" || typeof enteredMs !== "number") return [];
  if (isLaneSource(source) && typeof group === "string") {
    const guest = {
      kind: "lane",
      source,
      group,
      trigger: typeof trigger === "string" ? trigger : undefined,
    } as const;
    return [{ seat, guest, enteredMs }];
  }
  if (typeof flowId === "string" && typeof callbackId === "string" && typeof cameMs === "number") {
    return [{ seat, guest: { kind: "flow", flowId, callbackId, cameMs }, enteredMs }];
  }
  return [];
}
