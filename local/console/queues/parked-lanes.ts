import type { Table } from "../../../lib/aws/table.ts";
import { parseJson } from "../../../lib/base/json.ts";
import { pauseWord } from "../../../lib/effects/health/pause-settings.ts";
import { laneOf } from "../../../lib/queue/lanes/lane-record.ts";
import type { LaneStore, ParkedLane } from "../../../lib/queue/lanes/lane-store.ts";
import { openLaneStores } from "../../../lib/queue/lanes/lane-stores.ts";
import { outageRoomOf } from "../../../lib/queue/lanes/outage-room.ts";
import { readTicket, type Ticket } from "../../../lib/queue/lanes/ticket.ts";
import { factsOf } from "../../../lib/queue/message-facts.ts";
import { type ListedPause, listPauses } from "../../../lib/queue/pauses/pause-store.ts";
import type { Cloud } from "../../cloud/start-cloud.ts";
import type { Hindrance, ParkedLaneRow, ParkedLanes } from "../api/queues.ts";

export interface ParkedEdges {
  readonly cloud: Pick<Cloud, "receiveAll">;
  readonly lanesTable: Table;
  readonly appIds: readonly string[];
  readonly nowMs: number;
  readonly redact: (text: string) => string;
}

/** Lanes in an answer, and events in a lane. */
const mostLanes = 100;
const mostEvents = 50;

/**
 * Read-only.
 * @throws AwsCallError
 */
export async function readHindrances(edges: Omit<ParkedEdges, "cloud">): Promise<readonly Hindrance[]> {
  const { lanesTable, appIds, nowMs, redact } = edges;
  const { healthStore: health } = openLaneStores(lanesTable, () => nowMs);
  const found = await Promise.all(
    appIds.map(async (appId): Promise<readonly Hindrance[]> => {
      const { destinations, pauses } = await health.read(appId);
      return [
        ...listPauses(pauses, nowMs).map((pause) => toHindrance(appId, pause, redact)),
        ...[...destinations].flatMap(([destination, { probeAt }]) =>
          probeAt === undefined ? [] : [{ kind: "closed", appId, destination, probeAtMs: probeAt } as const],
        ),
      ];
    }),
  );
  return found.flat();
}

/**
 * Those with a ticket, and those that wait for the end of a pause. Read-only.
 * @throws AwsCallError
 */
export async function readParkedLanes(edges: ParkedEdges): Promise<ParkedLanes> {
  const { lanesTable, nowMs } = edges;
  const tickets = new Map<string, Ticket>();
  for (const ticket of [...ticketsOf(edges.cloud), ...(await guestsOf(edges))]) {
    tickets.set(ticket.lane.id, ticket);
  }
  const { store } = openLaneStores(lanesTable, () => nowMs);
  const ids = [...tickets.keys()];
  const parked = new Map<string, ParkedLane>();
  // DynamoDB's limit for one request.
  for (let start = 0; start < ids.length; start += 100) {
    for (const [id, lane] of await store.find(ids.slice(start, start + 100))) parked.set(id, lane);
  }
  const shown = [...parked].slice(0, mostLanes);
  const lanes = await Promise.all(shown.map(([id, lane]) => toRow(tickets.get(id), lane, store, edges)));
  return { nowMs, lanes: lanes.flatMap((lane) => lane ?? []), all: parked.size };
}

function ticketsOf(cloud: ParkedEdges["cloud"]): readonly Ticket[] {
  return cloud.receiveAll("ParkedLanesQueue").flatMap(({ body }) => {
    try {
      return [readTicket(parseJson(body))];
    } catch {
      return []; // a pause's ticket; its guests are read instead
    }
  });
}

async function guestsOf({ lanesTable, appIds, nowMs }: ParkedEdges): Promise<readonly Ticket[]> {
  const { room, healthStore: health } = openLaneStores(lanesTable, () => nowMs);
  const tickets: Ticket[] = [];
  for (const appId of appIds) {
    const { pauses, destinations } = await health.read(appId);
    const outages = [...destinations].flatMap(([destination, { sinceMs }]) =>
      sinceMs === undefined ? [] : [outageRoomOf({ destination, sinceMs })],
    );
    for (const pauseId of [...listPauses(pauses, nowMs).map(({ id }) => id), ...outages]) {
      for (const { guest } of await room.guests({ appId, pauseId }, undefined, 1_000)) {
        if (guest.kind !== "lane" || (guest.source !== "events" && guest.source !== "calls")) continue;
        tickets.push({ appId, lane: laneOf(guest.source, guest.group, guest.trigger) });
      }
    }
  }
  return tickets;
}

async function toRow(
  ticket: Ticket | undefined,
  { wakeAt, since, heldBy, head }: ParkedLane,
  store: LaneStore,
  { redact }: ParkedEdges,
): Promise<ParkedLaneRow | undefined> {
  if (ticket === undefined) return undefined;
  const { appId, lane } = ticket;
  const records = await store.first(lane.id, mostEvents + 1).catch(() => []);
  const { cause = "", waits = 0 } = head?.progress ?? {};
  return {
    ...{ id: lane.id, appId, trigger: lane.trigger, sinceMs: since, wakeAtMs: wakeAt, heldBy, waits },
    cause: cause === "" ? undefined : redact(cause),
    events: records.slice(0, mostEvents).map(({ messageId, messageBody }) => {
      const { trigger = "", deliveryKey, receivedAt } = factsOf(parseJson(messageBody)) ?? {};
      return { id: messageId, trigger, deliveryKey, receivedAtMs: receivedAt };
    }),
    hasMore: records.length > mostEvents,
  };
}

function toHindrance(appId: string, pause: ListedPause, redact: (text: string) => string): Hindrance {
  const { target, sinceMs, untilMs, by, reason } = pause;
  return {
    kind: "pause",
    appId,
    what: pauseWord(target),
    sinceMs,
    untilMs,
    by,
    reason: reason && redact(reason),
  };
}
