import * as z from "zod/mini";
import type { Item, Table } from "../../aws/table.ts";
import { parseJson } from "../../base/json.ts";
import { OwnError } from "../../base/own-error.ts";
import { createLaneEvents } from "./lane-events.ts";
import type { LaneRecord } from "./lane-record.ts";
import { noProgress, type Progress, progressSchema } from "./progress.ts";

/** The head event, and its attempts' state. */
export interface LaneHead {
  readonly sequence: string;
  readonly progress: Progress;
  /**
   * Milliseconds since 1970: the start of its maximum wait: its first attempt at the head, or the end of a
   * pause or of hours without a consumer.
   */
  readonly since: number;
}

export interface ParkedLane {
  /** Increases with every appended event. */
  readonly version: number;
  /** Milliseconds since 1970: no attempt before. */
  readonly wakeAt: number;
  /**
   * A process held a ticket of it. Absent if just parked, or if the parking process died before sending one.
   */
  readonly wasTaken?: true;
  /** Milliseconds since 1970: the start of its trouble. Absent if an earlier version parked it. */
  readonly since?: number;
  /** The pause whose end it waits for, without a ticket of its own. */
  readonly heldBy?: string;
  /** If tried before. */
  readonly head: LaneHead | undefined;
}

/** Of a trigger that failed in a conversation; stored with its own lane, even if that is not parked. */
export interface TriggerTrouble {
  /** Used an event's whole time: runs after the other triggers from now on. */
  readonly hung: boolean;
  /** An event was dead-lettered after its tries: the next one has fewer. */
  readonly gaveUp: boolean;
}

export interface FoundLanes {
  readonly parked: ReadonlyMap<string, ParkedLane>;
  readonly troubles: ReadonlyMap<string, TriggerTrouble>;
}

export type NewlyParked = Omit<ParkedLane, "version" | "wasTaken">;

/** State and events, in order. */
export interface LaneStore {
  find(laneIds: readonly string[]): Promise<ReadonlyMap<string, ParkedLane>>;
  /** As `find`, with the trouble of some trigger lanes, in one read. */
  look(laneIds: readonly string[], triggerLaneIds: readonly string[]): Promise<FoundLanes>;
  /** For an hour. Repeatable. */
  noteTrouble(triggerLaneId: string, trouble: TriggerTrouble): Promise<void>;
  forgetTrouble(triggerLaneId: string): Promise<void>;
  /** False if parked already. Repeatable. */
  park(laneId: string, parked: NewlyParked): Promise<boolean>;
  /** False if not parked anymore. Repeatable. */
  append(laneId: string, record: LaneRecord): Promise<boolean>;
  /** Without reading the lane. Repeatable. */
  put(laneId: string, record: LaneRecord): Promise<void>;
  /**
   * The previous owner can no longer write.
   * @returns undefined if not parked
   */
  take(laneId: string, owner: string): Promise<ParkedLane | undefined>;
  /**
   * Empty `heldBy`: waits for no pause anymore.
   * @throws LaneLostError if another process owns it
   */
  update(
    laneId: string,
    owner: string,
    change: Partial<Pick<ParkedLane, "wakeAt" | "since" | "heldBy" | "head">>,
  ): Promise<ParkedLane>;
  first(laneId: string, limit: number): Promise<readonly LaneRecord[]>;
  remove(laneId: string, record: LaneRecord): Promise<void>;
  /** False if events were appended meanwhile. */
  unpark(laneId: string, owner: string, version: number): Promise<boolean>;
}

export class LaneLostError extends OwnError {
  override readonly name = "LaneLostError";

  constructor(laneId: string) {
    super(`Lane ${laneId} was taken over by another run; this one writes nothing more.`);
  }
}

/**
 * A day longer than the queues keep a message; marks of parked lanes live longer
 * (lib/effects/health/parked-marks.ts).
 */
const rememberedSeconds = 15 * 24 * 60 * 60;
const stateItem = "state";
const troubleItem = "trouble";
const troubleSeconds = 60 * 60;
/** DynamoDB limit per request. */
const keysPerRead = 100;

const headSchema = z.object({
  sequence: z.string(),
  progress: progressSchema,
  since: z.optional(z.number()),
});

export function createLaneStore(table: Table, now: () => number): LaneStore {
  const expiration = (seconds = rememberedSeconds) => Math.ceil(now() / 1000) + seconds;
  const stateKey = (laneId: string): Item => ({ lane: laneId, item: stateItem });
  const troubleKey = (laneId: string): Item => ({ lane: laneId, item: troubleItem });
  const events = createLaneEvents(table, now);

  const look: LaneStore["look"] = async (laneIds, triggerLaneIds) => {
    const keys = [...laneIds.map(stateKey), ...triggerLaneIds.map(troubleKey)];
    const items: Item[] = [];
    for (let start = 0; start < keys.length; start += keysPerRead) {
      items.push(...(await table.batchGet(keys.slice(start, start + keysPerRead))));
    }
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
    find: async (laneIds) => (await look(laneIds, [])).parked,

    ...{ look, put: events.put, first: events.first, remove: events.remove },

    noteTrouble: async (laneId, { hung, gaveUp }) => {
      await table.put({ ...troubleKey(laneId), hung, gaveUp, expiration: expiration(troubleSeconds) });
    },

    forgetTrouble: async (laneId) => {
      await table.delete(troubleKey(laneId));
    },

    park: async (laneId, { wakeAt, since, heldBy, head }) => {
      const item = {
        ...stateKey(laneId),
        version: 0,
        wakeAt,
        ...(since !== undefined && { since }),
        ...(heldBy !== undefined && { heldBy }),
        ...(head && { head: JSON.stringify(head) }),
        expiration: expiration(),
      };
      return (
        await table.put(item, { expression: "attribute_not_exists(#lane)", names: { "#lane": "lane" } })
      ).ok;
    },

    append: async (laneId, record) => {
      await events.put(laneId, record);
      const counted = await table.update(
        stateKey(laneId),
        { add: { version: 1 }, set: { expiration: expiration() } },
        { expression: "attribute_exists(#lane)", names: { "#lane": "lane" } },
      );
      if (!counted.ok) await events.remove(laneId, record);
      return counted.ok;
    },

    take: async (laneId, owner) => {
      const taken = await table.update(
        stateKey(laneId),
        { set: { owner, expiration: expiration() } },
        { expression: "attribute_exists(#lane)", names: { "#lane": "lane" } },
      );
      return taken.ok && taken.item !== undefined ? toParkedLane(taken.item, now()) : undefined;
    },

    update: async (laneId, owner, { wakeAt, since, heldBy, head }) => {
      const set = { wakeAt, since, heldBy, ...(head && { head: JSON.stringify(head) }) };
      const written = await table.update(
        stateKey(laneId),
        { set },
        { expression: "#owner = :owner", names: { "#owner": "owner" }, values: { ":owner": owner } },
      );
      if (!written.ok || written.item === undefined) throw new LaneLostError(laneId);
      return toParkedLane(written.item, now());
    },

    unpark: async (laneId, owner, version) => {
      const removed = await table.delete(stateKey(laneId), {
        expression: "#owner = :owner AND #version = :version",
        names: { "#owner": "owner", "#version": "version" },
        values: { ":owner": owner, ":version": version },
      });
      // A try without a response may have deleted it.
      return removed.ok || (removed.maybeOurs && removed.old === undefined);
    },
  };
}

function toParkedLane(item: Item, nowMs: number): ParkedLane {
  const { version, wakeAt, since, heldBy, owner, head } = item;
  return {
    version: typeof version === "number" ? version : 0,
    wakeAt: typeof wakeAt === "number" ? wakeAt : 0,
    ...(owner !== undefined && { wasTaken: true }),
    ...(typeof heldBy === "string" && heldBy !== "" && { heldBy }),
    ...(typeof since === "number" && { since }),
    head: readHead(head, typeof since === "number" ? since : nowMs),
  };
}

/** Drops an unreadable head of another version: it must not block the app's lanes. */
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
