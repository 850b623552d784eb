import { type Item, type ItemValue, type Table, when } from "../../aws/table.ts";
import { OwnError } from "../../base/errors.ts";
import { zlib } from "../queued-event.ts";
import type { LaneRecord } from "./lane-record.ts";

/**
 * An event's items are not renewed while it waits. It is dead-lettered after 30 days; a pause, or a time
 * without a consumer, adds up to 14.
 */
const eventsRememberedSeconds = 45 * 24 * 60 * 60;

const eventPrefix = "event ";
const eventEnd = "event ~";

/** @param item the sort key of LanesTable */
export function isEventItem(item: ItemValue): boolean {
  return `${item}`.startsWith(eventPrefix);
}

export function createLaneEvents(table: Table, now: () => number) {
  const partItem = (sequence: string, part: number) =>
    `${eventPrefix}${sequence} ${String(part).padStart(2, "0")}`;

  const removeItems = async (lane: string, from: string, to: string, expiration?: number) => {
    const isSame = expiration && when("#expiration = :expiration", { expiration });
    for (const { item } of await table.query({ lane }, { from, to })) {
      const isRemoved = await table.delete({ lane, item: String(item) }, isSame || undefined);
      if (!isRemoved.ok) return;
    }
  };

  return {
    /** Returns the items' expiration, which identifies what this process wrote. */
    put: async (laneId: string, record: LaneRecord): Promise<number> => {
      const parts = packEvent(record);
      const expiration = Math.ceil(now() / 1000) + eventsRememberedSeconds;
      // The first part is written last and deleted first: while it exists, the event is complete.
      for (const [part, pack] of [...parts.entries()].toReversed()) {
        const key = { lane: laneId, item: partItem(record.sequence, part) };
        await table.put({ ...key, ...pack, expiration });
      }
      return expiration;
    },

    /** @param expiration deletes the items only if they have it */
    remove: (laneId: string, { sequence }: LaneRecord, expiration?: number): Promise<void> =>
      removeItems(laneId, partItem(sequence, 0), partItem(sequence, 99), expiration),

    /** Removes the events before it. */
    removeBefore: (laneId: string, { sequence }: LaneRecord): Promise<void> =>
      removeItems(laneId, eventPrefix, eventPrefix + sequence),

    /** @param after a sequence */
    first: async (laneId: string, limit: number, after?: string): Promise<readonly LaneRecord[]> => {
      for (let from = after === undefined ? eventPrefix : `${eventPrefix}${after} ~`; ; ) {
        const items = await table.query({ lane: laneId }, { from, to: eventEnd, limit });
        const records = unpackEvents(items);
        if (records.length > 0) return records;
        const cut = items.find(isFirstPart)?.item;
        const last = items.at(-1)?.item;
        if (typeof cut === "string") from = cut;
        else if (items.length < limit || typeof last !== "string") return [];
        else from = `${last} `;
      }
    },
  };
}

export class UnreadableEventError extends OwnError {
  override readonly name = "UnreadableEventError";

  constructor(laneKey: string) {
    super(`Of a parked event, a part is missing: ${laneKey}. Look at the lanes table.`);
  }
}

const isFirstPart = ({ item }: Item) => String(item).endsWith(" 00");

function unpackEvents(items: readonly Item[]): readonly LaneRecord[] {
  const packs = Map.groupBy(items, ({ item }) => String(item).split(" ")[1] ?? "");
  const records: LaneRecord[] = [];
  for (const [sequence, parts] of packs) {
    if (!parts.slice(0, 1).some(isFirstPart)) continue;
    const record = unpackEvent(sequence, parts);
    if (record !== undefined) records.push(record);
    // The other parts may be on the next page, unless this page begins with this event.
    else if (parts[0] === items[0]) throw new UnreadableEventError(`${String(parts[0]?.lane)} ${sequence}`);
    else break;
  }
  return records;
}

/** DynamoDB limits an item to 400 KB, with names. */
const maxPartBytes = 350_000;

export function packEvent(record: LaneRecord): readonly Item[] {
  const { messageId, messageBody, replayedAt, finished, ignoresAge } = record;
  const facts = { messageId, replayedAt, finished, ignoresAge };
  if (Buffer.byteLength(messageBody) <= maxPartBytes) return [{ ...facts, parts: 1, messageBody }];

  const bytes = zlib().gzipSync(messageBody);
  const count = Math.ceil(bytes.length / maxPartBytes);
  return Array.from({ length: count }, (_, part) => {
    const share = bytes.subarray(part * maxPartBytes, (part + 1) * maxPartBytes);
    return { ...(part === 0 && facts), parts: count, bytes: new Uint8Array(share) };
  });
}

export function unpackEvent(sequence: string, parts: readonly Item[]): LaneRecord | undefined {
  const [first] = parts;
  if (first === undefined || typeof first.messageId !== "string" || first.parts !== parts.length)
    return undefined;
  const { messageId, replayedAt, finished, ignoresAge } = first;
  const facts = {
    messageId,
    sequence,
    ...(typeof replayedAt === "number" && { replayedAt }),
    ...(Array.isArray(finished) && { finished: finished.map(String) }),
    ...(ignoresAge === true && { ignoresAge }),
  };
  if (typeof first.messageBody === "string") return { ...facts, messageBody: first.messageBody };

  const shares = parts.flatMap(({ bytes }) => (bytes instanceof Uint8Array ? [bytes] : []));
  return { ...facts, messageBody: zlib().gunzipSync(Buffer.concat(shares)).toString("utf8") };
}
