import { insist } from "../../aws/table.ts";
import { errorFields } from "../../base/describe-error.ts";
import { parseJson } from "../../base/json.ts";
import type { AppHealth } from "../../effects/health/app-health.ts";
import { outcomeFields } from "../../effects/outcomes.ts";
import { factsOf } from "../read-queued-event.ts";
import { deadLetterEvent } from "./dead-letter-event.ts";
import { pauseOfLane, scheduleWake, toWaiter } from "./holds.ts";
import type { Lane, LaneRecord } from "./lane-record.ts";
import { type Attempt, type AttemptOutcome, eventLimitMs, type LaneServices } from "./lane-services.ts";
import { headOf, type LaneHead, LaneLostError } from "./lane-store.ts";
import { readOutageRoom } from "./outage-room.ts";
import { maxTries, noProgress, type Progress, refusedAlone } from "./progress.ts";
import type { Ticket } from "./ticket.ts";

export interface LaneResumption {
  readonly ticket: Ticket;
  readonly health: AppHealth;
  /** The end of the function's time. */
  readonly deadlineMs: number;
}

const settlingMs = 8_000;

/** A ticket is this late only if the consumer or the table was down. */
const idleMs = 60 * 60_000;

/** The first wait of a lane that nothing woke when its wait ended. */
const firstRestMs = 5_000;

const pageSize = 10;

/**
 * Runs the lane's events in order until it is empty or must wait. Records each begin, so that crashes are
 * counted. Returns when the ticket is due again; undefined if the lane is done, or if the end of a pause
 * wakes it.
 * @throws AwsCallError, LaneLostError if another process owns the lane
 */
export async function resumeLane(
  resumption: LaneResumption,
  services: LaneServices,
): Promise<number | undefined> {
  const { ticket, health, deadlineMs } = resumption;
  const { store, now, token } = services;
  const { id } = ticket.lane;
  const owner = token();
  await health.markParked(id);
  let lane = await store.take(id, owner);
  if (lane === undefined || (await isHeldByPause(ticket, owner, health, services))) return undefined;
  // The maximum wait begins again.
  const wasPaused = lane.heldBy !== undefined && readOutageRoom(lane.heldBy) === undefined;
  if (wasPaused || now() - lane.wakeAt > idleMs) {
    const since = now();
    const head = lane.head && { ...lane.head, since };
    lane = await store.update(id, owner, { since, heldBy: "", head });
  }
  if (lane.wakeAt > now()) return lane.wakeAt;
  await health.markTrouble();
  const memory = await readTriggerMemory(ticket.lane, services);

  let suspectsTo: string | undefined;
  for (;;) {
    const records = await store.first(id, pageSize);
    if (records.length === 0 && (await store.unpark(id, owner, lane.version))) return undefined;
    for (const record of records) {
      const known = headOf(record, lane, now());
      const isSuspect = suspectsTo !== undefined && record.sequence <= suspectsTo;
      const head = isSuspect ? { ...known, progress: { ...noProgress, deaths: 1 }, suspectsTo } : known;
      if (
        now() + eventLimitMs + settlingMs > deadlineMs ||
        (await pauseOfLane(ticket.lane, health)) !== undefined
      ) {
        // What may end the process keeps a turn of its own.
        if (isSuspect) await store.update(id, owner, { head });
        else await store.endTurn(id, owner);
        return now();
      }
      const ofLane = { ticket, health, laneSince: lane.since ?? 0, maxTries: memory?.maxTries() ?? maxTries };
      const outcome = await attemptParked(record, head, owner, ofLane, memory, services);
      if (outcome.kind === "wait") return rest(outcome, head, owner, resumption, services);
      // It did not end the process, so the next event may have.
      suspectsTo = head.progress.deaths === 1 ? head.suspectsTo : undefined;
      await insist(() => store.remove(id, record), deadlineMs, services, isLost);
    }
    // An event was appended, or another process owns the lane.
    lane = await store.update(id, owner, { wakeAt: now() });
  }
}

/** A pause's end, or a new ticket, replaces this ticket. */
async function isHeldByPause(
  ticket: Ticket,
  owner: string,
  health: AppHealth,
  services: LaneServices,
): Promise<boolean> {
  const { store, holds } = services;
  const roomId = (await pauseOfLane(ticket.lane, health))?.id;
  if (roomId === undefined) return false;
  await holds.enter(ticket.appId, roomId, toWaiter(ticket));
  await store.update(ticket.lane.id, owner, { heldBy: roomId });
  await scheduleWake(ticket, roomId, services);
  return true;
}

/** Returns when the ticket is due; undefined if the end of an outage wakes the lane. */
async function rest(
  { progress, wakeAt, room }: Extract<AttemptOutcome, { kind: "wait" }>,
  before: LaneHead,
  owner: string,
  { ticket, deadlineMs }: LaneResumption,
  services: LaneServices,
): Promise<number | undefined> {
  const { store, holds, noteWait, now } = services;
  const head = { ...before, progress };
  // A lane that is woken continues at once.
  const state = room === undefined ? { wakeAt, heldBy: "", head } : { wakeAt: now(), heldBy: room, head };
  const write = () => store.update(ticket.lane.id, owner, state);
  if (room === undefined) {
    noteWait(ticket.appId, before.since);
    await insist(write, deadlineMs, services, isLost);
    return wakeAt;
  }
  await insist(() => holds.enter(ticket.appId, room, toWaiter(ticket)), deadlineMs, services, isLost);
  await insist(write, deadlineMs, services, isLost);
  return (await holds.ensureWatched(ticket.appId, room)) ? undefined : Math.min(wakeAt, now() + firstRestMs);
}

async function attemptParked(
  record: LaneRecord,
  head: LaneHead,
  owner: string,
  ofLane: Pick<Attempt, "ticket" | "health" | "laneSince" | "maxTries">,
  memory: TriggerMemory,
  services: LaneServices,
): Promise<AttemptOutcome> {
  const { lane } = ofLane.ticket;
  const { progress, since, suspectsTo } = head;
  const { deaths } = progress;
  const message = parseJson(record.messageBody);
  // The first death with several events was logged when they were parked.
  if (deaths > (suspectsTo === undefined ? 0 : 1)) {
    const { deliveryKey } = factsOf(message) ?? {};
    services.log.warn("an attempt ended without a result", {
      appId: ofLane.ticket.appId,
      deliveryKey,
      laneId: lane.id,
      queueMessageId: record.messageId,
      deaths,
      ...outcomeFields("interrupted"),
    });
  }
  const note = (known: Progress) =>
    services.store.update(lane.id, owner, { head: { ...head, progress: known } });
  const died = { ...progress, deaths: deaths + 1, crashed: undefined };
  const isShared = lane.trigger === undefined;
  const noteStep = deaths > 0 && isShared ? (crashed: string) => note({ ...died, crashed }) : undefined;
  const attempt: Attempt = { record, message, progress, since, noteStep, ...ofLane };
  if (deaths < maxTries) await note(died);
  const outcome = await services.attemptEvent(attempt);
  if (outcome.kind === "done") await memory?.noteDone(progress);
  if (outcome.kind !== "dead-letter") return outcome;
  await deadLetterEvent(attempt, outcome, services).catch(async (error: unknown) => {
    // The process did not crash, and the reason for dead-lettering is known.
    await note(outcome.progress);
    throw error;
  });
  // A partial outage would otherwise dead-letter one event of the conversation after the other.
  const isRefused = Object.values(outcome.progress.failed).some(({ reason }) => reason === refusedAlone);
  if ((outcome.reason === "tries" && !isRefused) || outcome.reason === "deaths")
    await memory?.noteDeadLettered();
  return { kind: "done" };
}

/** A failure would otherwise look like a crash and count as a try. */
const isLost = (error: unknown) => error instanceof LaneLostError;

type TriggerMemory = Awaited<ReturnType<typeof readTriggerMemory>>;

const triesInTrouble = 2;

/**
 * What this conversation's lane of a trigger remembers after a dead letter, so that similar events do not
 * each delay the next ones by minutes. Returns undefined for a conversation's lane. The methods never throw.
 */
async function readTriggerMemory({ id, trigger }: Lane, { store, log }: Pick<LaneServices, "store" | "log">) {
  if (trigger === undefined) return undefined;
  let trouble = (await store.look([], [id])).troubles.get(id);
  const write = (writing: Promise<void>) =>
    writing.catch((error: unknown) => {
      log.warn("could not write down that a trigger fails; it has more tries than it needs", {
        ...errorFields(error),
      });
    });

  return {
    /** Two, 5 s apart, for an hour after a dead letter; otherwise five. */
    maxTries: () => (trouble?.gaveUp === true ? triesInTrouble : maxTries),
    noteDeadLettered: async () => {
      trouble = { hung: trouble?.hung === true, gaveUp: true };
      await write(store.noteTrouble(id, trouble));
    },
    /** Forgets the dead letter if this event had failed before: retrying helps. */
    noteDone: async ({ tries, deaths }: Progress) => {
      if (trouble === undefined || (Object.keys(tries).length === 0 && deaths === 0)) return;
      trouble = undefined;
      await write(store.forgetTrouble(id));
    },
  };
}
