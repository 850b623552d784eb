import * as z from "zod/mini";
import { type Item, type Table, when } from "../../aws/table.ts";

const guestSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("lane"),
    source: z.enum(["events", "calls"]),
    group: z.string(),
    trigger: z.optional(z.string()),
  }),
  z.object({
    kind: z.literal("flow"),
    flowId: z.string(),
    /** Lambda's: completing it wakes the flow. */
    callbackId: z.string(),
    /** Flows wake in order of arrival. */
    cameMs: z.number(),
  }),
]);

export type Guest = Readonly<z.infer<typeof guestSchema>>;

export interface SeatedGuest {
  readonly seat: string;
  readonly guest: Guest;
  /** Last entered. */
  readonly enteredMs: number;
}

const seatedSchema = z.object({ seat: z.string(), enteredMs: z.number(), guest: guestSchema });

const watchSchema = z.object({
  /** Last check. */
  seenMs: z.number(),
  /** The seat up to which guests were woken; an empty text resets it. */
  wokenTo: z.optional(z.string()),
  /** All guests were woken. */
  isOver: z.optional(z.boolean()),
  /** The seat up to which guests were read meanwhile; an empty text resets it. */
  lookedTo: z.optional(z.string()),
  /** The last probe. */
  probedMs: z.optional(z.number()),
});

type Watch = z.infer<typeof watchSchema>;

export interface RoomOf {
  readonly appId: string;
  readonly pauseId: string;
}

/** Longer than any pause, and than guests are kept. */
const rememberedSeconds = 16 * 24 * 60 * 60;

const watchItem = "watch";

export type WaitingRoom = ReturnType<typeof createWaitingRoom>;

/** Guests wait for the end of a pause or an outage. Repeatable. Methods throw AwsCallError. */
export function createWaitingRoom(lanes: Table, now: () => number) {
  const partitionOf = ({ appId, pauseId }: RoomOf): Item => ({ lane: `waiting ${appId} ${pauseId}` });
  const watchKey = (of: RoomOf): Item => ({ ...partitionOf(of), item: watchItem });
  const expiration = () => Math.ceil(now() / 1000) + rememberedSeconds;

  return {
    enter: async (of: RoomOf, guest: Guest): Promise<void> => {
      const { kind: _kind, ...facts } = guest;
      const place = { ...partitionOf(of), item: seatOf(guest) };
      await lanes.put({ ...place, ...facts, enteredMs: now(), expiration: expiration() });
    },

    /** Unless it entered again. */
    leave: async (of: RoomOf, { seat, enteredMs }: SeatedGuest): Promise<void> => {
      const isSame = when("#enteredMs = :enteredMs", { enteredMs });
      await lanes.delete({ ...partitionOf(of), item: seat }, isSame);
    },

    guests: async (of: RoomOf, after: string | undefined, limit: number): Promise<readonly SeatedGuest[]> => {
      const range = { from: `${after ?? ""}\u0000`, to: "lane ~", limit };
      return (await lanes.query(partitionOf(of), range)).map(readGuest);
    },

    /** Undefined if none was ever requested. */
    watch: async (of: RoomOf): Promise<Watch | undefined> => {
      const item = await lanes.get(watchKey(of));
      return item && watchSchema.parse(item);
    },

    noteWatch: async (of: RoomOf, change: Partial<Omit<Watch, "seenMs">> = {}): Promise<void> => {
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

function readGuest({ item: seat, enteredMs, ...facts }: Item): SeatedGuest {
  const [kind] = String(seat).split(" ");
  return seatedSchema.parse({ seat, enteredMs, guest: { ...facts, kind } });
}
