import * as z from "zod/mini";
import { type Item, type Table, when } from "../../aws/table.ts";
import { inParts } from "../../base/batching.ts";
import { OwnError } from "../../base/errors.ts";
import { parseJson } from "../../base/json.ts";
import { createHealthStore } from "../../effects/health/health-store.ts";
import { createWaitingRoom } from "../pauses/waiting-room.ts";
import { createLaneEvents } from "./lane-events.ts";
import type { LaneRecord } from "./lane-record.ts";
import { noProgress, type Progress, progressSchema } from "./progress.ts";

export interface LaneHead {
  readonly sequence: string;
  readonly progress: Progress;
  /**
   * The start of the head's maximum wait: its first attempt, or the end of a pause or of hours without a
   * consumer.
   */
  readonly since: number;
  /** Set after a process died with several events: the last of them. It is not known which one ended it. */
  readonly suspectsTo?: string | undefined;
}

export interface ParkedLane {
  readonly version: number;
  readonly wakeAt: number;
  /**
   * True once a process took the lane by a ticket. Absent if none did, perhaps because the parking process
   * died before sending one.
   */
  readonly wasTaken?: true;
  /** Set between the turns of a lane that needs several. The head may be a handled event's. */
  readonly turnEnded?: true;
  /** When an append sent a ticket, in case that the lane had none. Absent once it was taken. */
  readonly ticketAt?: number | undefined;
  /** The start of the lane's failures. Absent if an earlier version parked it. */
  readonly since?: number | undefined;
  /** The id of the pause or outage whose end wakes the lane, instead of a ticket. */
  readonly heldBy?: string | undefined;
  readonly head: LaneHead | undefined;
}

/** What is known of a trigger in a conversation, stored with the lane even if it is not parked. */
export interface TriggerTrouble {
  /** The trigger used an event's whole time, so it runs after the others. */
  readonly hung: boolean;
  /** An event was dead-lettered after its tries, so the next one has fewer. */
  readonly gaveUp: boolean;
}

export interface FoundLanes {
  readonly parked: ReadonlyMap<string, ParkedLane>;
  readonly troubles: ReadonlyMap<string, TriggerTrouble>;
}

export type NewlyParked = Omit<ParkedLane, "version" | "wasTaken" | "turnEnded" | "ticketAt">;

export class LaneLostError extends OwnError {
  override readonly name = "LaneLostError";

  constructor(laneId: string) {
    super(`Lane ${laneId} was taken over by another run; this one writes nothing more.`);
  }
}

/** One day longer than the queues keep a message. Marks of parked lanes are kept longer. */
const rememberedSeconds = 15 * 24 * 60 * 60;
const stateItem = "state";
const troubleItem = "trouble";
const troubleSeconds = 60 * 60;
export function openLaneStores(lanes: Table, now: () => number) {
  return {
    lanes,
    healthStore: createHealthStore(lanes, now),
    store: createLaneStore(lanes, now),
    room: createWaitingRoom(lanes, now),
  };
}

/** DynamoDB limit per request. */
const keysPerRead = 100;

const headSchema = z.object({
  sequence: z.string(),
  progress: progressSchema,
  since: z.optional(z.number()),
  suspectsTo: z.optional(z.string()),
});

export type LaneStore = ReturnType<typeof createLaneStore>;

export function createLaneStore(table: Table, now: () => number) {
  const events = createLaneEvents(table, now);

  const look = async (laneIds: readonly string[], triggerLaneIds: readonly string[]): Promise<FoundLanes> => {
    const keys = [...laneIds.map(stateKey), ...triggerLaneIds.map(troubleKey)];
    const items: Item[] = [];
    for (const part of inParts(keys, keysPerRead)) items.push(...(await table.batchGet(part)));
    const ofKind = (kind: string) => items.filter(({ item }) => item === kind);
    // DynamoDB deletes expired items up to two days late.
    const remembered = ofKind(troubleItem).filter((item) => Number(item.expiration) * 1000 > now());
    return {
      parked: new Map(ofKind(stateItem).map((item) => [String(item.lane), toParkedLane(item, now())])),
      troubles: new Map(
        remembered.map(({ lane, hung, gaveUp }) => [
          String(lane),
          { hung: hung === true, gaveUp: gaveUp === true },
        ]),
      ),
    };
  };

  return {
    look,
    find: async (laneIds: readonly string[]) => (await look(laneIds, [])).parked,

    /** Remembers the trouble for an hour. Repeatable. */
    noteTrouble: async (triggerLaneId: string, { hung, gaveUp }: TriggerTrouble): Promise<void> => {
      const expiration = expirationOf(now(), troubleSeconds);
      await table.put({ ...troubleKey(triggerLaneId), hung, gaveUp, expiration });
    },
    forgetTrouble: async (triggerLaneId: string): Promise<void> => {
      await table.delete(troubleKey(triggerLaneId));
    },

    ...events,
    ...createLaneStates(table, now, events),
  };
}

function createLaneStates(table: Table, now: () => number, events: ReturnType<typeof createLaneEvents>) {
  const expiration = () => expirationOf(now(), rememberedSeconds);
  return {
    /** Returns false if the lane is parked already. Repeatable. */
    park: async (laneId: string, { wakeAt, since, heldBy, head }: NewlyParked): Promise<boolean> => {
      const state = { wakeAt, since, heldBy, head: head && JSON.stringify(head) };
      const item = { ...stateKey(laneId), version: 0, ...state, expiration: expiration() };
      return (await table.put(item, when("attribute_not_exists(#lane)"))).ok;
    },

    /** Returns false if the lane was resumed. Repeatable. */
    append: async (laneId: string, record: LaneRecord): Promise<boolean> => {
      const put = await events.put(laneId, record);
      const change = { add: { version: 1 }, set: { expiration: expiration() } };
      const { ok } = await table.update(stateKey(laneId), change, isParked);
      // Keeps what another process wrote there while this one was frozen.
      if (!ok) await events.remove(laneId, record, put);
      return ok;
    },

    noteTicket: async (laneId: string): Promise<void> => {
      await table.update(stateKey(laneId), { set: { ticketAt: now() } }, isParked);
    },

    /** An earlier owner can no longer write. Returns undefined if the lane is not parked. */
    take: async (laneId: string, owner: string): Promise<ParkedLane | undefined> => {
      const change = { set: { owner, expiration: expiration(), ticketAt: 0, turnEnded: false } };
      const taken = await table.update(stateKey(laneId), change, isParked);
      return taken.ok && taken.item !== undefined ? toParkedLane(taken.item, now()) : undefined;
    },

    /** @throws LaneLostError if another process owns it */
    update: async (
      laneId: string,
      owner: string,
      { head, ...change }: Partial<Pick<ParkedLane, "wakeAt" | "since" | "heldBy" | "head">>,
    ): Promise<ParkedLane> => {
      const set = { ...change, head: head && JSON.stringify(head) };
      const written = await table.update(stateKey(laneId), { set }, when("#owner = :owner", { owner }));
      if (!written.ok || written.item === undefined) throw new LaneLostError(laneId);
      return toParkedLane(written.item, now());
    },

    /** Without it, the lane's next turn is its own, as after a crash. Never throws. */
    endTurn: async (laneId: string, owner: string): Promise<void> => {
      const isOwn = when("#owner = :owner", { owner });
      await table.update(stateKey(laneId), { set: { turnEnded: true } }, isOwn).catch(() => undefined);
    },

    /** Returns false if events were appended meanwhile. */
    unpark: async (laneId: string, owner: string, version: number): Promise<boolean> => {
      const isUnchanged = when("#owner = :owner AND #version = :version", { owner, version });
      const removed = await table.delete(stateKey(laneId), isUnchanged);
      // A try without a response may have deleted it.
      return removed.ok || (removed.maybeOurs && removed.old === undefined);
    },
  };
}

const isParked = /* @__PURE__ */ when("attribute_exists(#lane)");

function stateKey(laneId: string): Item {
  return { lane: laneId, item: stateItem };
}

function troubleKey(laneId: string): Item {
  return { lane: laneId, item: troubleItem };
}

function expirationOf(nowMs: number, seconds: number): number {
  return Math.ceil(nowMs / 1000) + seconds;
}

function toParkedLane(item: Item, nowMs: number): ParkedLane {
  const { version, wakeAt, since, heldBy, owner, head, ticketAt, turnEnded } = item;
  return {
    version: typeof version === "number" ? version : 0,
    wakeAt: typeof wakeAt === "number" ? wakeAt : 0,
    ...(owner !== undefined && { wasTaken: true }),
    ...(turnEnded === true && { turnEnded }),
    ...(typeof ticketAt === "number" && ticketAt > 0 && { ticketAt }),
    heldBy: typeof heldBy === "string" && heldBy !== "" ? heldBy : undefined,
    since: typeof since === "number" ? since : undefined,
    head: readHead(head, typeof since === "number" ? since : nowMs),
  };
}

/** An unreadable head, of another version, must not block the app's lanes. */
function readHead(head: Item[string], laneSince: number): LaneHead | undefined {
  const read = typeof head === "string" ? headSchema.safeParse(parseJson(head)).data : undefined;
  return read && { ...read, since: read.since ?? laneSince };
}

export function headOf(
  { sequence }: LaneRecord,
  { head }: Pick<ParkedLane, "head">,
  nowMs: number,
): LaneHead {
  return head?.sequence === sequence ? head : { sequence, progress: noProgress, since: nowMs };
}
