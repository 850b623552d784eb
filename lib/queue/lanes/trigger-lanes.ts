import type { AppHealth } from "../../effects/health/app-health.ts";
import { type Lane, laneOf } from "./lane-record.ts";
import type { Attempt } from "./lane-services.ts";
import type { LaneStore, ParkedLane, TriggerTrouble } from "./lane-store.ts";
import { appendToLane, type ParkServices, parkLane } from "./park-lane.ts";
import type { Progress } from "./progress.ts";
import type { Ticket } from "./ticket.ts";

export interface UnfinishedTrigger {
  readonly name: string;
  readonly finished: readonly string[];
  readonly progress: Progress;
  readonly wakeAt: number;
  /** The id of the outage whose end it waits for. */
  readonly room?: string | undefined;
  /** The trigger used the event's whole time. */
  readonly hung: boolean;
}

export type TriggerLaneReason =
  | { readonly kind: "paused" }
  /** The trigger used an event's whole time within the last hour. */
  | { readonly kind: "hung" }
  /** Earlier events wait; cause and time are those of the first. */
  | { readonly kind: "behind"; readonly cause: string | undefined; readonly wakeAt: number | undefined };

/**
 * Keeps the lanes of triggers that wait beside their conversation. Made for each invocation: it caches them.
 * No event of a trigger overtakes a waiting one: the conversation was marked as parked, and the earlier event
 * stored here, before the later one begins. Only the owner of a conversation parks its trigger lanes, so what
 * it read stays true; a lane that has caught up accepts no events and leaves the cache. After a crash, the
 * event is delivered again, and gets the same place or acts according to its ledger.
 */
export function createTriggerLanes(services: ParkServices & { readonly triggerNames: readonly string[] }) {
  const { store, triggerNames } = services;
  const known: Known = { parkedLanes: new Map(), troubles: new Map(), readAgain: new Set() };
  const { parkedLanes, troubles } = known;
  return {
    findParked: (lanes: readonly Lane[], health: AppHealth) =>
      findParked(lanes, health, triggerNames, known, store),

    /**
     * Appends an event to a trigger lane if the trigger is paused, used an event's whole time lately, or has
     * earlier events waiting; undefined if the trigger may act now. Repeatable: the event keeps its place.
     * @param finished steps that the trigger lane need not run
     * @throws AwsCallError, LaneLostError; the step is then not done
     */
    appendIfWaiting: async (
      attempt: Attempt,
      triggerName: string,
      finished: readonly string[],
    ): Promise<TriggerLaneReason | undefined> => {
      const { health } = attempt;
      const ticket = triggerTicketOf(attempt.ticket, triggerName);
      const { id } = ticket.lane;
      // Another process may have owned the lane since its marks and its trigger lanes were read.
      if (attempt.isFresh !== true || attempt.wasParked === true)
        await lookAgain(attempt.ticket.lane, [...triggerNames, triggerName], known, store);
      if (!parkedLanes.has(id) && health.mayBeParked(id)) await learn([], [id], known, store);
      const parked = parkedLanes.get(id);
      const isBehind =
        parked !== undefined && (await appendToTriggerLane(ticket, attempt, finished, parked, services));
      if (parked !== undefined && !isBehind) parkedLanes.set(id, undefined);
      const reason = await reasonOf(triggerName, health, troubles.get(id));
      if (isBehind) return reason ?? behind(parked);
      if (reason !== undefined) await park(attempt, ticket, { finished }, known, services);
      return reason;
    },

    /**
     * Parks an event in the trigger lane of a trigger that waits or failed. Repeatable. @throws as
     * `appendIfWaiting`
     */
    move: async (attempt: Attempt, trigger: UnfinishedTrigger): Promise<void> => {
      const { name, finished, progress, wakeAt, room, hung } = trigger;
      const ticket = triggerTicketOf(attempt.ticket, name);
      if (hung) await noteHung(ticket.lane.id, known, store);
      const head = { sequence: attempt.record.sequence, progress, since: attempt.since };
      await park(attempt, ticket, { finished, wakeAt, heldBy: room, head }, known, services);
    },
  };
}

async function noteHung(id: string, { troubles }: Known, store: LaneStore): Promise<void> {
  const trouble = { hung: true, gaveUp: troubles.get(id)?.gaveUp === true };
  troubles.set(id, trouble);
  await store.noteTrouble(id, trouble);
}

export type TriggerLanes = ReturnType<typeof createTriggerLanes>;

interface Known {
  readonly parkedLanes: Map<string, ParkedLane | undefined>;
  readonly troubles: Map<string, TriggerTrouble>;
  readonly readAgain: Set<string>;
}

function behind({ head, heldBy, wakeAt }: ParkedLane): TriggerLaneReason {
  const isTimed = heldBy === undefined && wakeAt > 0;
  return { kind: "behind", cause: head?.progress.cause, wakeAt: isTimed ? wakeAt : undefined };
}

async function findParked(
  lanes: readonly Lane[],
  { mayBeParked, mayHaveHung }: AppHealth,
  triggerNames: readonly string[],
  known: Known,
  store: LaneStore,
): Promise<ReadonlyMap<string, ParkedLane>> {
  const beside = lanes.flatMap((lane) => {
    const ids = triggerNames.map((name) => triggerLaneOf(lane, name).id);
    // A ticket's process may have marked and parked them since the marks were read, and emptied the lane.
    return mayBeParked(lane.id) ? ids : ids.filter(mayBeParked);
  });
  const parkable = lanes.map(({ id }) => id).filter(mayBeParked);
  const parked = await learn(parkable, [], known, store);
  // After them: a lane that was emptied before has its trigger lanes by now.
  await learn([], beside, known, store, mayHaveHung());
  return parked;
}

async function learn(
  laneIds: readonly string[],
  triggerLaneIds: readonly string[],
  { parkedLanes, troubles }: Known,
  store: LaneStore,
  mayHaveHung = true,
): Promise<ReadonlyMap<string, ParkedLane>> {
  if (laneIds.length + triggerLaneIds.length === 0) return new Map();
  const found = await store.look([...laneIds, ...triggerLaneIds], mayHaveHung ? triggerLaneIds : []);
  for (const id of triggerLaneIds) parkedLanes.set(id, found.parked.get(id));
  for (const [id, trouble] of found.troubles) troubles.set(id, trouble);
  return found.parked;
}

/** Once is enough: later only this process, the owner, parks them. */
async function lookAgain(
  lane: Lane,
  triggerNames: readonly string[],
  known: Known,
  store: LaneStore,
): Promise<void> {
  const ids = new Set(triggerNames.map((name) => triggerLaneOf(lane, name).id)).difference(known.readAgain);
  await learn([], [...ids], known, store);
  for (const id of ids) known.readAgain.add(id);
}

async function park(
  attempt: Attempt,
  ticket: Ticket,
  { finished, ...more }: Parking,
  { parkedLanes }: Known,
  services: ParkServices,
): Promise<void> {
  const record = { ...attempt.record, finished };
  const state = { wakeAt: services.now(), head: undefined, ...more };
  await parkLane(ticket, [record], state, attempt.health, services);
  parkedLanes.set(ticket.lane.id, { ...state, version: 0 });
}

/** Returns false if the lane caught up meanwhile. */
async function appendToTriggerLane(
  ticket: Ticket,
  { record, health, progress }: Attempt,
  finished: readonly string[],
  parked: ParkedLane,
  services: ParkServices,
): Promise<boolean> {
  await health.markParked(ticket.lane.id);
  // An earlier process may have died before sending its ticket.
  const mayHaveNoTicket = progress.deaths > 0 || progress.waits > 0;
  const records = [{ ...record, finished }];
  return (await appendToLane(ticket, records, parked, mayHaveNoTicket, health, services)).length === 0;
}

async function reasonOf(
  name: string,
  health: AppHealth,
  trouble: TriggerTrouble | undefined,
): Promise<TriggerLaneReason | undefined> {
  if ((await health.pauseOf({ kind: "trigger", name })) !== undefined) return { kind: "paused" };
  return trouble?.hung === true ? { kind: "hung" } : undefined;
}

type Parking = { readonly finished: readonly string[] } & Partial<
  Pick<ParkedLane, "wakeAt" | "heldBy" | "head">
>;

export function triggerTicketOf({ appId, lane }: Ticket, triggerName: string): Ticket {
  return { appId, lane: triggerLaneOf(lane, triggerName) };
}

function triggerLaneOf({ source, group }: Lane, triggerName: string): Lane {
  return laneOf(source, group, triggerName);
}
