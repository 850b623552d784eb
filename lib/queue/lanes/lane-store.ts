import * as z from "zod/mini";
import type { Item, Table } from "../../aws/table.ts";
import { parseJson } from "../../base/json.ts";
import type { LaneRecord } from "./lane-record.ts";
import { packEvent, unpackEvent } from "./pack-event.ts";
import { noProgress, type Progress, progressSchema } from "./progress.ts";

/** The event at the head of a lane, and what is known of its attempts. */
export interface LaneHead {
  readonly sequence: string;
  readonly progress: Progress;
  /**
   * Milliseconds since 1970: when its maximum wait began, which is its first attempt at the head of the lane, or the end of a
   * pause or of hours without a consumer. The event behind it begins again.
   */
  readonly since: number;
}

/** What the table says of a parked lane. */
export interface ParkedLane {
  /** Grows with every event that is put behind the others. */
  readonly version: number;
  /** Milliseconds since 1970: nothing is tried before. */
  readonly wakeAt: number;
  /** Somebody had a ticket of it. Absent for a lane that was parked a moment ago, or by a process that died before sending one. */
  readonly wasTaken?: true;
  /** Milliseconds since 1970: when its trouble began. Absent for what earlier versions parked. */
  readonly since?: number;
  /** The pause that it waits for the end of, in that pause's waiting room; it has no ticket of its own then. */
  readonly heldBy?: string;
  /** The event at the head of the lane that was tried before, and what is known of it. */
  readonly head: LaneHead | undefined;
}

/** What is remembered of a trigger that failed in a conversation, by the lane of its own there; also while that lane is not parked. */
export interface TriggerTrouble {
  /** Its handler took all of an event's time: it is not run before other triggers any more. */
  readonly hung: boolean;
  /** An event of it was dead-lettered by tries: the next one has fewer. */
  readonly gaveUp: boolean;
}

/** What the table says of several lanes. */
export interface FoundLanes {
  readonly parked: ReadonlyMap<string, ParkedLane>;
  readonly troubles: ReadonlyMap<string, TriggerTrouble>;
}

/** What is known of a lane when it is parked. */
export type NewlyParked = Omit<ParkedLane, "version" | "wasTaken">;

/** The parked lanes: their events in order, and what is known of each lane. */
export interface LaneStore {
  /** Gives those of the lanes that are parked; nothing is asked for none. */
  find(laneIds: readonly string[]): Promise<ReadonlyMap<string, ParkedLane>>;
  /** The same, and what is remembered of the triggers of some lanes: one read. */
  look(laneIds: readonly string[], triggerLaneIds: readonly string[]): Promise<FoundLanes>;
  /** Remembers for an hour that a trigger failed. May be repeated. */
  noteTrouble(triggerLaneId: string, trouble: TriggerTrouble): Promise<void>;
  /** Forgets it. May be repeated. */
  forgetTrouble(triggerLaneId: string): Promise<void>;
  /** Parks a lane; false when it is parked already. May be repeated. */
  park(laneId: string, parked: NewlyParked): Promise<boolean>;
  /** Puts an event behind the others of a parked lane; false when the lane is not parked any more. May be repeated. */
  append(laneId: string, record: LaneRecord): Promise<boolean>;
  /** Stores an event of a lane without looking at the lane. May be repeated. */
  put(laneId: string, record: LaneRecord): Promise<void>;
  /** Takes the lane into one's hands: whoever had it before can write nothing any more. Undefined if it is not parked. */
  take(laneId: string, owner: string): Promise<ParkedLane | undefined>;
  /** Writes down what is known of the lane; `heldBy` an empty text where it waits for no pause any more. @throws LaneLostError when somebody else has it */
  update(
    laneId: string,
    owner: string,
    change: Partial<Pick<ParkedLane, "wakeAt" | "since" | "heldBy" | "head">>,
  ): Promise<ParkedLane>;
  /** Gives the first events of a lane, in order. */
  first(laneId: string, limit: number): Promise<readonly LaneRecord[]>;
  /** Forgets an event. May be repeated. */
  remove(laneId: string, record: LaneRecord): Promise<void>;
  /** Lets the lane flow again; false when events were put behind the others meanwhile. */
  unpark(laneId: string, owner: string, version: number): Promise<boolean>;
}

/** Thrown when a lane was taken by somebody else, because its holder was thought to be dead. */
export class LaneLostError extends Error {
  override readonly name = "LaneLostError";

  constructor(laneId: string) {
    super(`Lane ${laneId} was taken over by another run; this one writes nothing more.`);
  }
}

/** A day longer than the queues keep a message; a mark of parked lanes lives longer still (lib/effects/health/parked-marks.ts). */
const rememberedSeconds = 15 * 24 * 60 * 60;
/**
 * An event is not written again while its lane waits. It is dead-lettered as too old after 30 days, or later by a pause or a
 * time without a consumer: 14 days at most.
 */
const eventsRememberedSeconds = 45 * 24 * 60 * 60;

const stateItem = "state";
const troubleItem = "trouble";
/** How long a trigger's last failure is remembered. */
const troubleSeconds = 60 * 60;
/** DynamoDB reads 100 items in one request. */
const keysPerRead = 100;
const eventPrefix = "event ";
/** Sorts behind every event. */
const eventEnd = "event ~";

const headSchema = z.object({
  sequence: z.string(),
  progress: progressSchema,
  since: z.optional(z.number()),
});

/** Keeps parked lanes on the lanes table, whose key is `lane` and `item`. */
export function createLaneStore(table: Table, now: () => number): LaneStore {
  const expiration = (seconds = rememberedSeconds) => Math.ceil(now() / 1000) + seconds;
  const stateKey = (laneId: string): Item => ({ lane: laneId, item: stateItem });
  const troubleKey = (laneId: string): Item => ({ lane: laneId, item: troubleItem });
  const partItem = (sequence: string, part: number) =>
    `${eventPrefix}${sequence} ${String(part).padStart(2, "0")}`;

  const look: LaneStore["look"] = async (laneIds, triggerLaneIds) => {
    const keys = [...laneIds.map(stateKey), ...triggerLaneIds.map(troubleKey)];
    const items: Item[] = [];
    for (let start = 0; start < keys.length; start += keysPerRead) {
      items.push(...(await table.batchGet(keys.slice(start, start + keysPerRead))));
    }
    const ofKind = (kind: string) => items.filter(({ item }) => item === kind);
    // DynamoDB deletes what has expired up to two days later.
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

  const put = async (laneId: string, record: LaneRecord): Promise<void> => {
    const parts = packEvent(record);
    // The first part last, and in `remove` first: an event is there exactly as long as its first part is.
    for (const [part, pack] of [...parts.entries()].toReversed()) {
      const key = { lane: laneId, item: partItem(record.sequence, part) };
      await table.put({ ...key, ...pack, expiration: expiration(eventsRememberedSeconds) });
    }
  };

  const remove = async (laneId: string, { sequence }: LaneRecord): Promise<void> => {
    const items = await table.query(
      { lane: laneId },
      { from: partItem(sequence, 0), to: partItem(sequence, 99), limit: 100 },
    );
    for (const { item } of items) {
      if (typeof item === "string") await table.delete({ lane: laneId, item });
    }
  };

  return {
    find: async (laneIds) => (await look(laneIds, [])).parked,

    look,

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
      await put(laneId, record);
      const counted = await table.update(
        stateKey(laneId),
        { add: { version: 1 }, set: { expiration: expiration() } },
        { expression: "attribute_exists(#lane)", names: { "#lane": "lane" } },
      );
      if (!counted.ok) await remove(laneId, record);
      return counted.ok;
    },

    put,

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

    first: async (laneId, limit) => {
      for (let from = eventPrefix; ; ) {
        const items = await table.query({ lane: laneId }, { from, to: eventEnd, limit });
        const records = unpackEvents(items);
        if (records.length > 0) return records;
        const cut = items.find(isFirstPart)?.item;
        const last = items.at(-1)?.item;
        // Before the first event is only what is left of events that are gone, or not there yet.
        if (typeof cut === "string") from = cut;
        else if (items.length < limit || typeof last !== "string") return [];
        else from = `${last} `;
      }
    },

    remove,

    unpark: async (laneId, owner, version) => {
      const removed = await table.delete(stateKey(laneId), {
        expression: "#owner = :owner AND #version = :version",
        names: { "#owner": "owner", "#version": "version" },
        values: { ":owner": owner, ":version": version },
      });
      // A try that got no answer may have done it.
      return removed.ok || (removed.maybeOurs && removed.old === undefined);
    },
  };
}

/** Thrown for an event of which a part is missing; its lane waits, and nothing behind it is forgotten. */
export class UnreadableEventError extends Error {
  override readonly name = "UnreadableEventError";

  constructor(laneKey: string) {
    super(`Of a parked event, a part is missing: ${laneKey}. Look at the lanes table.`);
  }
}

const isFirstPart = ({ item }: Item) => String(item).endsWith(" 00");

/** Parts without a first one are what is left of an event that is gone, or not there yet. */
function unpackEvents(items: readonly Item[]): readonly LaneRecord[] {
  const packs = Map.groupBy(items, ({ item }) => String(item).split(" ")[1] ?? "");
  const records: LaneRecord[] = [];
  for (const [sequence, parts] of packs) {
    if (!parts.slice(0, 1).some(isFirstPart)) continue;
    const record = unpackEvent(sequence, parts);
    if (record !== undefined) records.push(record);
    // Its other parts may be on the next page, but not if this page begins with it.
    else if (parts[0] === items[0]) throw new UnreadableEventError(`${String(parts[0]?.lane)} ${sequence}`);
    else break;
  }
  return records;
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

/** What another version wrote and this one cannot read is forgotten: it must not keep the app's lanes from being found. */
function readHead(head: Item[string], laneSince: number): LaneHead | undefined {
  const read = typeof head === "string" ? headSchema.safeParse(parseJson(head)).data : undefined;
  return read && { ...read, since: read.since ?? laneSince };
}

/** Returns what is known of an event at the head of a lane. If it was not tried there before, its wait begins now. */
export function headOf(
  { sequence }: LaneRecord,
  { head }: Pick<ParkedLane, "head">,
  nowMs: number,
): LaneHead {
  return head?.sequence === sequence ? head : { sequence, progress: noProgress, since: nowMs };
}
