import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import { errorFields } from "../../base/error-fields.ts";
import { parseJson } from "../../base/json.ts";
import { type AppHealth, createAppHealth } from "../../effects/health/app-health.ts";
import type { HealthStore } from "../../effects/health/health-store.ts";
import { factsOf } from "../message-facts.ts";
import type { RoomOf } from "../pauses/waiting-room.ts";
import type { LaneServices } from "./attempt.ts";
import type { BatchRequests } from "./batch-requests.ts";
import { type LaneSource, laneOf, toLaneRecord } from "./lane-record.ts";
import { LaneLostError, type ParkedLane } from "./lane-store.ts";
import { resumeLane } from "./resume-lane.ts";
import { retryDelayMsAfter } from "./retry-delay.ts";
import { runLane } from "./run-lane.ts";
import type { SideLanes } from "./side-lane.ts";
import { readPauseTicket, readTicket, type SendPauseTicket, type Ticket } from "./ticket.ts";

export interface ConsumerServices extends LaneServices, BatchRequests {
  readonly healthStore: HealthStore;
  readonly sideLanes: Pick<SideLanes, "findParked">;
  readonly watchPause: (of: RoomOf, deadlineMs: number) => Promise<number | undefined>;
  readonly sendPauseTicket: SendPauseTicket;
  readonly random: () => number;
  /** By address or ARN; tickets come from the parked lanes' queue. */
  readonly sourceOf: (queueArn: string) => LaneSource | "tickets";
}

interface LaneShare {
  readonly ticket: Ticket;
  readonly records: SQSRecord[];
}

/**
 * Lanes concurrently, each in order. A failing lane is parked and delays no other. Records return to the
 * queue only if a table or queue rejected a write. Repeatable: effects happen once.
 * @param deadlineMs milliseconds since 1970: the function's time-out
 */
export async function consumeBatch(
  records: readonly SQSRecord[],
  deadlineMs: number,
  services: ConsumerServices,
): Promise<SQSBatchResponse> {
  const { handBack, random, now } = services;
  const failed = new Map<SQSRecord, number>();
  const [first] = records;
  const source = first === undefined ? "events" : services.sourceOf(first.eventSourceARN);
  const healths = createHealths(services);
  const work =
    source === "tickets"
      ? records.map((record) => handleTicket(record, deadlineMs, healths, services, failed))
      : [handleLanes(toShares(records, source), deadlineMs, healths, services, failed)];
  await Promise.all(work);
  const flush = (health: AppHealth) =>
    health.flush().catch((error: unknown) => {
      services.log.warn("could not write down how an app is; others know less of it", {
        ...errorFields(error),
      });
    });
  await Promise.all((await healths.all()).map(flush));

  await handBack([...failed.keys()], (record) => {
    const wakeAt = failed.get(record) ?? 0;
    return wakeAt > 0 ? wakeAt - now() : retryDelayMsAfter(receiveCountOf(record), random());
  });
  return { batchItemFailures: [...failed.keys()].map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

async function handleLanes(
  shares: readonly LaneShare[],
  deadlineMs: number,
  healths: Healths,
  services: ConsumerServices,
  failed: Map<SQSRecord, number>,
): Promise<void> {
  const { sideLanes, log, sleep, deleteRecords } = services;
  const answered = new AbortController();
  const early: Promise<void>[] = [];
  /** Without waiting for the slowest lane: the queue would delay their next events. */
  const deleteSoon = (records: readonly SQSRecord[]) => {
    if (shares.length === 1) return;
    const waited = sleep(earlyMs, answered.signal).then(
      () => deleteRecords(records),
      () => undefined,
    );
    early.push(waited);
  };
  const returnToQueue = (share: LaneShare, left: readonly SQSRecord[], error: unknown) => {
    log.error("gave events back to the queue: what parks them could not be reached", {
      appId: share.ticket.appId,
      events: left.length,
      ...errorFields(error),
    });
    for (const record of left) failed.set(record, 0);
  };

  const runOne = async (share: LaneShare, health: AppHealth, parked: ParkedLane | undefined) => {
    const left = new Map(share.records.map((record) => [record.messageId, record]));
    const records = share.records.map(toLaneRecord);
    const isSuspect = receiveCountOf(share.records[0]) > 1;
    try {
      await runLane(
        { ticket: share.ticket, records, isSuspect, parked, health, deadlineMs },
        services,
        (record) => left.delete(record.messageId),
      );
      deleteSoon(share.records);
    } catch (error) {
      returnToQueue(share, [...left.values()], error);
    }
  };

  await Promise.all(
    [...Map.groupBy(shares, ({ ticket }) => ticket.appId)].map(async ([appId, ofApp]) => {
      try {
        const health = await healths.of(appId);
        const lanes = ofApp.map(({ ticket }) => ticket.lane);
        const parked = await sideLanes.findParked(lanes, health);
        await Promise.all(ofApp.map((share) => runOne(share, health, parked.get(share.ticket.lane.id))));
      } catch (error) {
        for (const share of ofApp) returnToQueue(share, share.records, error);
      }
    }),
  );
  answered.abort();
  await Promise.all(early);
}

/** A finished lane's wait for the batch's others before its records are deleted alone. */
const earlyMs = 500;

async function handleTicket(
  record: SQSRecord,
  deadlineMs: number,
  healths: Healths,
  services: ConsumerServices,
  failed: Map<SQSRecord, number>,
): Promise<void> {
  const { log, sendTicket, watchPause, sendPauseTicket, now, random } = services;
  let sendAgain: (() => Promise<void>) | undefined;
  let dueAt: number | undefined;
  try {
    const message = parseJson(record.body);
    const room = readPauseTicket(message);
    if (room !== undefined) {
      sendAgain = () => sendPauseTicket(room);
      dueAt = await watchPause(room, deadlineMs);
    } else {
      const ticket = readTicket(message);
      sendAgain = () => sendTicket(ticket);
      dueAt = await resumeLane(
        { ticket, health: await healths.of(ticket.appId, ticket.lease), deadlineMs },
        services,
      );
    }
  } catch (error) {
    dueAt = now() + retryDelayMsAfter(failedTicketWait, random());
    // A lost lane's ticket is kept: the process that took the lane may have stalled, and this may be its
    // ticket.
    if (!(error instanceof LaneLostError)) {
      log.error("could not go on with a parked lane yet", {
        queueMessageId: record.messageId,
        ...errorFields(error),
      });
    }
  }
  if (dueAt === undefined) return;
  if (sendAgain !== undefined && receiveCountOf(record) >= retiredAfter) {
    const isReplaced = await sendAgain().then(
      () => true,
      () => false,
    );
    if (isReplaced) return;
  }
  // 0 would mean a wait by the number of failures.
  failed.set(record, Math.max(1, dueAt));
}

const failedTicketWait = 3;

/** Replaced by a new one long before SQS dead-letters it (infrastructure/queues.yml). */
const retiredAfter = 500;

interface Healths {
  /** @param lease under which this process acts; undefined: the deployment */
  of(appId: string, lease?: string): Promise<AppHealth>;
  all(): Promise<readonly AppHealth[]>;
}

function createHealths({ healthStore, now }: ConsumerServices): Healths {
  const reading = new Map<string, Promise<AppHealth>>();
  return {
    of: (appId, lease) => {
      const name = `${appId} ${lease ?? ""}`;
      const health =
        reading.get(name) ??
        healthStore
          .read(appId)
          .then((record) => createAppHealth({ appId, record, store: healthStore, now, lease }));
      reading.set(name, health);
      return health;
    },
    all: async () => {
      const settled = await Promise.allSettled(reading.values());
      return settled.flatMap((health) => (health.status === "fulfilled" ? [health.value] : []));
    },
  };
}

/** A lane belongs to one app; a message of another system has none. */
function toShares(records: readonly SQSRecord[], source: LaneSource): readonly LaneShare[] {
  const groups = Map.groupBy(records, ({ attributes, messageId }) => attributes.MessageGroupId ?? messageId);
  return [...groups].map(([group, ofGroup]) => {
    // A message of another system does not identify its lane's app.
    const facts = ofGroup.values().map(({ body }) => factsOf(parseJson(body)));
    const appId = facts.find((known) => known !== undefined)?.appId ?? "";
    return { ticket: { appId, lane: laneOf(source, group) }, records: ofGroup };
  });
}

function receiveCountOf(record: SQSRecord | undefined): number {
  return Number(record?.attributes.ApproximateReceiveCount ?? 1);
}
