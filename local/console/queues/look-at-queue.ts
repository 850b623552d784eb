import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { heldBackAtMostMs } from "../../../lib/effects/health/app-health.ts";
import { deadLettering, isHeldBack, triggerOf } from "../../../lib/effects/health/breaker.ts";
import { pauseWord } from "../../../lib/effects/health/pause-settings.ts";
import { groupByCause } from "../../../lib/queue/cause-group.ts";
import { readDeadLetter } from "../../../lib/queue/dead-letter.ts";
import type { HeldMessage } from "../../../lib/queue/held-queue.ts";
import type { LaneStore, openLaneStores, ParkedLane } from "../../../lib/queue/lanes/lane-store.ts";
import { outageRooms, readOutageRoom } from "../../../lib/queue/lanes/outage-room.ts";
import { readOutageWaiting } from "../../../lib/queue/lanes/outage-waiting.ts";
import { readTicket, type Ticket } from "../../../lib/queue/lanes/ticket.ts";
import { ticketsOf } from "../../../lib/queue/lanes/wake-waiters.ts";
import { listPauses } from "../../../lib/queue/pauses/pause-store.ts";
import { readQuarantined } from "../../../lib/queue/quarantined-delivery.ts";
import { factsOf } from "../../../lib/queue/read-queued-event.ts";
import { isSelected, type Selection, type SetAside } from "../../../lib/queue/set-aside.ts";
import type { QueuedMessage } from "../../cloud/sqs-endpoint.ts";
import type { Cloud } from "../../cloud/start-cloud.ts";
import type { Blocker, ParkedLaneRow, ParkedLanes, QueueGroup, QueueName, QueueRow } from "../api/queues.ts";
import { textAt } from "../read-value.ts";

export const queueTable = {
  events: { title: "Events", logicalId: "EventsQueue" },
  "parked-lanes": { title: "Parked lanes", logicalId: "ParkedLanesQueue" },
  calls: { title: "Calls", logicalId: "CallsQueue" },
  "dead-letters": { title: "Dead letters", logicalId: "DeadLetterQueue" },
  quarantine: { title: "Quarantine", logicalId: "QuarantineQueue" },
} as const satisfies Record<QueueName, { title: string; logicalId: string }>;

export const queueNames = ["events", "parked-lanes", "calls", "dead-letters", "quarantine"] as const;

type FailedTriggersOf = NonNullable<Selection["failedTriggersOf"]>;

export interface Looked {
  readonly message: QueuedMessage;
  readonly facts: SetAside & { readonly tries?: number | undefined };
}

/** Receives no messages: consumers are not delayed. */
export interface QueueReader {
  look(queue: QueueName, selection: Selection): { readonly found: readonly Looked[]; readonly all: number };
}

/** Caches messages: parsing ten thousand is slow. */
export function createQueueReader(cloud: Pick<Cloud, "receiveAll">): QueueReader {
  const known = new Map<QueueName, ReadonlyMap<string, Looked["facts"]>>();
  return {
    look(queue, selection) {
      const before = known.get(queue);
      const all = cloud.receiveAll(queueTable[queue].logicalId).map((message): Looked => {
        return { message, facts: before?.get(message.messageId) ?? readMessage(queue, message) };
      });
      known.set(queue, new Map(all.map(({ message, facts }) => [message.messageId, facts])));
      return { found: all.filter(({ facts }) => isSelected(facts, selection)), all: all.length };
    },
  };
}

function readMessage(queue: QueueName, message: QueuedMessage): Looked["facts"] {
  if (queue === "dead-letters") return readDeadLetter(toHeld(message));
  if (queue === "quarantine") return readQuarantined(toHeld(message));
  const body = parseJson(message.body);
  const ticket = isRecord(body) && typeof body.ticket === "string" ? `ticket: ${body.ticket}` : "";
  const unread = {
    appId: textAt(body, "appId"),
    trigger: ticket,
    deliveryKey: undefined,
    receivedAt: undefined,
  };
  return {
    id: message.messageId,
    reason: "",
    cause: "",
    setAsideAt: message.sentAtMs,
    ...(factsOf(body) ?? unread),
  };
}

/** Without a receipt handle: it is only read. */
export function toHeld({
  messageId: id,
  body,
  attributes = {},
  groupId: group = "",
  sentAtMs: sentAt = 0,
}: Pick<QueuedMessage, "messageId" | "body"> & Partial<QueuedMessage>): HeldMessage {
  const texts = Object.entries(attributes).map(([name, { StringValue }]) => [name, StringValue]);
  return {
    id,
    body,
    attributes: Object.fromEntries(texts),
    group,
    sentAt,
    sequence: "",
    receiptHandle: "",
    heldUntil: 0,
  };
}

export function toQueueRow({ message, facts }: Looked, failedTriggersOf: FailedTriggersOf): QueueRow {
  const { messageId: id, state, sentAtMs, visibleAtMs, receiveCount: received, groupId: lane = "" } = message;
  const { appId, trigger, deliveryKey, receivedAt, reason, cause, tries } = facts;
  return {
    id,
    state,
    sentAtMs,
    received,
    lane,
    appId,
    trigger,
    deliveryKey,
    visibleAtMs: state === "visible" ? undefined : visibleAtMs,
    receivedAtMs: Number.isFinite(receivedAt) ? receivedAt : undefined,
    reason: reason || undefined,
    cause: cause || undefined,
    tries: Number.isFinite(tries) ? tries : undefined,
    failedTriggers: failedTriggersOf(facts),
  };
}

/** Groups by cause, largest first, as the commands do. */
export function groupLooked(found: readonly Looked[]): readonly QueueGroup[] {
  return groupByCause(found.map(({ facts }) => facts))
    .slice(0, mostGroups)
    .map(({ name, cause, reason, count }) => ({ name, cause: cause || reason, count }));
}

const mostGroups = 50;

interface ParkedEdges {
  readonly cloud: Pick<Cloud, "receiveAll">;
  readonly stores: ReturnType<typeof openLaneStores>;
  readonly appIds: readonly string[];
  readonly nowMs: number;
}

const mostLanes = 100;
const mostEvents = 50;

/** Reads pauses, outages, and triggers whose events are held back. */
export async function readBlockers(edges: ParkedEdges): Promise<readonly Blocker[]> {
  const { stores, appIds, nowMs } = edges;
  const found = appIds.map(async (appId): Promise<readonly Blocker[]> => {
    const { destinations, pauses } = await stores.healthStore.read(appId);
    const paused = listPauses(pauses, nowMs).map(({ target, untilMs, by, reason }) => {
      if (target.kind === "lease") return { kind: "listener", appId, untilMs, by } as const;
      return { kind: "pause", appId, what: pauseWord(target), untilMs, by, reason } as const;
    });
    const closed = [...destinations].flatMap(([destination, state]): readonly Blocker[] => {
      const { probeAt: probeAtMs, openedMs = 0 } = state;
      if (probeAtMs === undefined) return [];
      if (destination !== deadLettering) return [{ kind: "closed", appId, destination, probeAtMs }];
      const isOver = nowMs >= openedMs + heldBackAtMostMs;
      return isOver ? [] : [{ kind: "too-many-dead-letters", appId }];
    });
    const waiting = await readOutageWaiting(appId, { ...stores, now: () => nowMs }, [], mostLanes);
    const heldBack = waiting.flatMap(({ of: { outage }, oldestMs: sinceMs }) => {
      const trigger = triggerOf(outage.destination);
      const isHeld = trigger !== undefined && isHeldBack(outage.destination);
      return isHeld ? [{ kind: "held-back", appId, trigger, sinceMs } as const] : [];
    });
    return [...paused, ...closed, ...heldBack];
  });
  return (await Promise.all(found)).flat();
}

/** Reads lanes with a ticket, and lanes that wait for a pause's end. */
export async function readParkedLanes(edges: ParkedEdges): Promise<ParkedLanes> {
  const { nowMs, stores } = edges;
  const tickets = await readTickets(edges);
  const parked = await stores.store.find([...tickets.keys()]);
  const listeners = await listenersOf(edges);
  const lanes = [...tickets.values()]
    .flatMap((ticket) => {
      const lane = parked.get(ticket.lane.id);
      return lane === undefined ? [] : [{ ticket, lane }];
    })
    .slice(0, mostLanes)
    .map(({ ticket, lane }) => toRow(ticket, lane, listeners, stores.store));
  return { nowMs, lanes: await Promise.all(lanes), all: parked.size };
}

/** Returns one ticket per lane, by lane id. */
export async function readTickets(edges: ParkedEdges): Promise<ReadonlyMap<string, Ticket>> {
  const ticketed = edges.cloud.receiveAll("ParkedLanesQueue").flatMap(({ body }) => ticketIn(body) ?? []);
  return new Map([...ticketed, ...(await guestsOf(edges))].map((one) => [one.lane.id, one]));
}

/** Returns a lane's ticket; undefined for a pause's. */
export function ticketIn(body: string): Ticket | undefined {
  try {
    return readTicket(parseJson(body));
  } catch {
    return undefined;
  }
}

async function guestsOf({ stores, appIds, nowMs }: ParkedEdges) {
  const tickets: Ticket[] = [];
  for (const appId of appIds) {
    const { pauses } = await stores.healthStore.read(appId);
    const paused = listPauses(pauses, nowMs).map(({ id: pauseId }) => ({ appId, pauseId }));
    for (const room of [...paused, ...(await outageRooms(appId, stores))])
      tickets.push(...ticketsOf(room, await stores.room.waiters(room, undefined, 1_000)));
  }
  return tickets;
}

async function toRow(
  { appId, lane: { id, trigger } }: Ticket,
  { wakeAt: wakeAtMs, since: sinceMs, heldBy, head }: ParkedLane,
  listeners: ReadonlySet<string>,
  store: LaneStore,
): Promise<ParkedLaneRow> {
  const records = await store.first(id, mostEvents + 1).catch(() => []);
  const { cause = "", waits = 0 } = head?.progress ?? {};
  return {
    id,
    appId,
    trigger,
    sinceMs,
    wakeAtMs,
    waitsFor: heldBy === undefined ? undefined : waitOf(heldBy, listeners),
    canBeWoken: heldBy !== undefined && readOutageRoom(heldBy) !== undefined,
    waits,
    cause: cause || undefined,
    events: records.slice(0, mostEvents).map(({ messageId, messageBody }) => {
      const { trigger: event = "", deliveryKey, receivedAt } = factsOf(parseJson(messageBody)) ?? {};
      return { id: messageId, trigger: event, deliveryKey, receivedAtMs: receivedAt };
    }),
    hasMore: records.length > mostEvents,
  };
}

/** Returns the ids of the pauses under which listeners act. */
async function listenersOf({ stores, appIds, nowMs }: ParkedEdges) {
  const pauses = await Promise.all(
    appIds.map(async (appId) => listPauses((await stores.healthStore.read(appId)).pauses, nowMs)),
  );
  return new Set(pauses.flat().flatMap(({ id, target }) => (target.kind === "lease" ? [id] : [])));
}

function waitOf(heldBy: string, listeners: ReadonlySet<string>) {
  const { destination } = readOutageRoom(heldBy) ?? {};
  if (destination === undefined) return `the end of a ${listeners.has(heldBy) ? "listener" : "pause"}`;
  const trigger = triggerOf(destination);
  if (trigger === undefined) return `the next answer of ${destination}`;
  return isHeldBack(destination)
    ? `the first event that ${trigger} handles: too many of its events fail for good`
    : `the first event that ${trigger} ends: it hung or crashed`;
}
