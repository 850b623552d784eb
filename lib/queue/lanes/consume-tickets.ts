import type { SQSRecord } from "aws-lambda";
import { errorFields } from "../../base/describe-error.ts";
import { parseJson } from "../../base/json.ts";
import type { AppHealth } from "../../effects/health/app-health.ts";
import type { RoomKey } from "../pauses/waiting-room.ts";
import { type BatchRequests, createEarlyEnds, receiveCountOf, sentMsOf } from "./batch-requests.ts";
import type { LaneServices } from "./lane-services.ts";
import { LaneLostError } from "./lane-store.ts";
import { resumeLane } from "./resume-lane.ts";
import { retryDelayMsAfter } from "./retry-delay.ts";
import { readRoomTicket, readTicket, type SendRoomTicket } from "./ticket.ts";

export interface TicketServices extends LaneServices, BatchRequests {
  readonly wakeRoom: (roomKey: RoomKey, deadlineMs: number) => Promise<number | undefined>;
  readonly sendRoomTicket: SendRoomTicket;
  readonly random: () => number;
}

interface TicketRun {
  readonly deadlineMs: number;
  readonly healthOf: (appId: string, lease: string | undefined) => Promise<AppHealth>;
}

interface KeptTickets {
  /** When each is due. */
  readonly dueAt: ReadonlyMap<SQSRecord, number>;
  /** The queue has the time of these already. */
  readonly returned: ReadonlySet<SQSRecord>;
}

/**
 * Continues the lanes of tickets concurrently, of the oldest ticket's kind: those whose first event failed
 * before together, because they may take long; one whose event may have ended a process alone.
 */
export async function consumeTickets(
  records: readonly SQSRecord[],
  run: TicketRun,
  services: TicketServices,
): Promise<KeptTickets> {
  const { sleep, deleteRecords, delayRecords, now } = services;
  const dueAt = new Map<SQSRecord, number>();
  // A second ticket of a lane has nothing to do, and would block the next one in the queue.
  const [different, again] = separateRepeated(records);
  if (again.length > 0) await deleteRecords(again);
  const kinds = await findKinds(different, services);
  // One that was returned very often has its turn before SQS would dead-letter it.
  const first = different.find((record) => receiveCountOf(record) >= retiredAfter) ?? different[0];
  const kind = first && kinds.get(first);
  const chosen = different.filter((record) =>
    kind === "deadly" ? record === first : kinds.get(record) === kind,
  );
  const returned = new Set(different.filter((record) => !chosen.includes(record)));
  if (returned.size > 0) await delayRecords([...returned], () => 0);

  const early = createEarlyEnds(sleep);
  const end = async (record: SQSRecord) => {
    const due = dueAt.get(record);
    if (due === undefined) return deleteRecords([record]);
    dueAt.delete(record);
    returned.add(record);
    await delayRecords([record], () => due - now());
  };
  const one = async (record: SQSRecord) => {
    const due = await handleTicket(record, run, services);
    if (due !== undefined) dueAt.set(record, due);
    if (chosen.length > 1) early.add(() => end(record));
  };
  await Promise.all(chosen.map(one));
  await early.close();
  return { dueAt, returned };
}

function separateRepeated(records: readonly SQSRecord[]) {
  const first = new Set(new Map(records.toReversed().map((record) => [record.body, record])).values());
  return [
    records.filter((record) => first.has(record)),
    records.filter((record) => !first.has(record)),
  ] as const;
}

async function findKinds(
  records: readonly SQSRecord[],
  { store }: Pick<LaneServices, "store">,
): Promise<ReadonlyMap<SQSRecord, "sound" | "failing" | "deadly">> {
  if (records.length === 1) return new Map();
  const laneIds = new Map(records.map((record) => [record, laneIdOf(record)]));
  // Without the table, no lane continues.
  const parked = await store.find([...laneIds.values()].flatMap((id) => id ?? [])).catch(() => undefined);
  const kindOf = (record: SQSRecord) => {
    const lane = parked?.get(laneIds.get(record) ?? "");
    const { deaths = 0, tries = {} } = lane?.head?.progress ?? {};
    if (lane?.turnEnded === true) return "sound";
    if (deaths > 0) return "deadly";
    return Object.keys(tries).length > 0 ? "failing" : "sound";
  };
  return new Map(records.map((record) => [record, kindOf(record)]));
}

function laneIdOf({ body }: SQSRecord): string | undefined {
  try {
    return readTicket(parseJson(body)).lane.id;
  } catch {
    return undefined;
  }
}

/** Returns when the ticket is due again; undefined if it has done its work. */
async function handleTicket(
  record: SQSRecord,
  { deadlineMs, healthOf }: TicketRun,
  services: TicketServices,
): Promise<number | undefined> {
  const { log, sendTicket, wakeRoom, sendRoomTicket, noteWait, now, random } = services;
  let sendAgain: (() => Promise<void>) | undefined;
  let dueAt: number | undefined;
  let appId: string | undefined;
  let isOutOfTime = false;
  let isLeased = false;
  try {
    const message = parseJson(record.body);
    const room = readRoomTicket(message);
    if (room !== undefined) {
      sendAgain = () => sendRoomTicket(room);
      dueAt = await wakeRoom(room, deadlineMs);
    } else {
      const ticket = readTicket(message);
      ({ appId } = ticket);
      isLeased = ticket.lease !== undefined;
      sendAgain = () => sendTicket(ticket);
      const health = await healthOf(ticket.appId, ticket.lease);
      dueAt = await resumeLane({ ticket, health, deadlineMs }, services);
      isOutOfTime = dueAt !== undefined && dueAt <= now();
    }
  } catch (error) {
    dueAt = now() + retryDelayMsAfter(failuresOfTicket, random());
    // This may be the ticket of a process that took the lane and died.
    if (!(error instanceof LaneLostError)) {
      if (appId !== undefined) noteWait(appId, sentMsOf(record));
      log.error("could not go on with a parked lane yet", {
        appId,
        queueMessageId: record.messageId,
        ...errorFields(error),
      });
    }
  }
  if (dueAt === undefined || sendAgain === undefined) return dueAt;
  // A long lane goes to the end of the queue: an old message would be the next one again. A lease's holder
  // has its tickets in no queue, and the deployment must not get them.
  if (isLeased || (!isOutOfTime && receiveCountOf(record) < retiredAfter)) return dueAt;
  return sendAgain().then(
    () => undefined,
    () => dueAt,
  );
}

/** A failed ticket waits as after the third failure: 45 s. */
export const failuresOfTicket = 3;

/** A ticket is replaced long before SQS would dead-letter it (infrastructure/queues.yml). */
export const retiredAfter = 500;
