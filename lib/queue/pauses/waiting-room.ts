import type { Item, Table } from "../../aws/table.ts";

export type Guest =
  | { readonly kind: "lane"; readonly source: string; readonly group: string; readonly trigger?: string }
  | {
      readonly kind: "flow";
      readonly flowId: string;
      /** Lambda's: completing it wakes the flow. */
      readonly callbackId: string;
      /** Milliseconds since 1970: flows wake in order of arrival. */
      readonly cameMs: number;
    };

export interface SeatedGuest {
  readonly seat: string;
  readonly guest: Guest;
  /** Milliseconds since 1970: last entered. */
  readonly enteredMs: number;
}

export interface Watch {
  /** Milliseconds since 1970: last check. */
  readonly seenMs: number;
  /** The seat up to which guests were woken; an empty text resets it. */
  readonly wokenTo: string | undefined;
  /** All guests were woken. */
  readonly isOver: boolean;
  /** The seat up to which guests were read during the pause or outage. */
  readonly lookedTo?: string | undefined;
  /** Milliseconds since 1970: the last probe. */
  readonly probedMs?: number | undefined;
}

export interface RoomOf {
  readonly appId: string;
  readonly pauseId: string;
}

/**
 * Guests wait for the end of a pause, or of an outage (lib/queue/lanes/outage-room.ts). Repeatable.
 * @throws AwsCallError
 */
export interface WaitingRoom {
  enter(of: RoomOf, guest: Guest): Promise<void>;
  /** Unless it entered again. */
  leave(of: RoomOf, guest: SeatedGuest): Promise<void>;
  guests(of: RoomOf, after: string | undefined, limit: number): Promise<readonly SeatedGuest[]>;
  /** Undefined if none was ever requested. */
  watch(of: RoomOf): Promise<Watch | undefined>;
  noteWatch(of: RoomOf, change?: Partial<Omit<Watch, "seenMs">>): Promise<void>;
}

/** Longer than any pause, and than guests are kept. */
const rememberedSeconds = 16 * 24 * 60 * 60;

const watchItem = "watch";

export function createWaitingRoom(lanes: Table, now: () => number): WaitingRoom {
  const partitionOf = ({ appId, pauseId }: RoomOf): Item => ({ lane: `waiting ${appId} ${pauseId}` });
  const watchKey = (of: RoomOf): Item => ({ ...partitionOf(of), item: watchItem });
  const expiration = () => Math.ceil(now() / 1000) + rememberedSeconds;

  return {
    enter: async (of, guest) => {
      const { kind: _kind, ...facts } = guest;
      await lanes.put({
        ...partitionOf(of),
        item: seatOf(guest),
        ...facts,
        enteredMs: now(),
        expiration: expiration(),
      });
    },

    leave: async (of, { seat, enteredMs }) => {
      await lanes.delete(
        { ...partitionOf(of), item: seat },
        {
          expression: "#entered = :seen",
          names: { "#entered": "enteredMs" },
          values: { ":seen": enteredMs },
        },
      );
    },

    guests: async (of, after, limit) => {
      const from = after === undefined ? "flow " : `${after}\u0000`;
      const items = await lanes.query(partitionOf(of), { from, to: "lane ~", limit });
      return items.flatMap(readGuest);
    },

    watch: async (of) => {
      const item = await lanes.get(watchKey(of));
      if (item === undefined) return undefined;
      const { seenMs, wokenTo, isOver, lookedTo, probedMs } = item;
      return {
        seenMs: typeof seenMs === "number" ? seenMs : 0,
        wokenTo: typeof wokenTo === "string" && wokenTo !== "" ? wokenTo : undefined,
        isOver: isOver === true,
        ...(typeof lookedTo === "string" && lookedTo !== "" && { lookedTo }),
        ...(typeof probedMs === "number" && { probedMs }),
      };
    },

    noteWatch: async (of, { wokenTo, isOver, lookedTo, probedMs } = {}) => {
      const set = { seenMs: now(), wokenTo, isOver, lookedTo, probedMs, expiration: expiration() };
      await lanes.update(watchKey(of), { set });
    },
  };
}

/** Flows sort before lanes, and by arrival. */
function seatOf(guest: Guest): string {
  if (guest.kind === "flow") return `flow ${String(guest.cameMs).padStart(15, "0")} ${guest.flowId}`;
  const { source, group, trigger } = guest;
  return ["lane", source, group, ...(trigger === undefined ? [] : [trigger])].join(" ");
}

function readGuest(item: Item): readonly SeatedGuest[] {
  const { item: seat, enteredMs, source, group, trigger, flowId, callbackId, cameMs } = item;
  if (typeof seat !== "string" || typeof enteredMs !== "number") return [];
  if (typeof source === "string" && typeof group === "string") {
    return [
      {
        seat,
        guest: { kind: "lane", source, group, ...(typeof trigger === "string" && { trigger }) },
        enteredMs,
      },
    ];
  }
  if (typeof flowId === "string" && typeof callbackId === "string" && typeof cameMs === "number") {
    return [{ seat, guest: { kind: "flow", flowId, callbackId, cameMs }, enteredMs }];
  }
  return [];
}
