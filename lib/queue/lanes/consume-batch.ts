import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import type { AwsCaller } from "../../aws/aws-call.ts";
import { inParts } from "../../base/batching.ts";
import { errorFields } from "../../base/describe-error.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import { type AppHealth, createAppHealth } from "../../effects/health/app-health.ts";
import type { HealthStore } from "../../effects/health/health-store.ts";
import type { RoomKey } from "../pauses/waiting-room.ts";
import { factsOf } from "../read-queued-event.ts";
import type { LaneServices } from "./attempt.ts";
import { type LaneSource, laneOf, toLaneRecord } from "./lane-record.ts";
import { LaneLostError, type ParkedLane } from "./lane-store.ts";
import { resumeLane } from "./resume-lane.ts";
import { retryDelayMsAfter } from "./retry-delay.ts";
import { runLane } from "./run-lane.ts";
import { readRoomTicket, readTicket, type SendRoomTicket, type Ticket } from "./ticket.ts";
import type { TriggerLanes } from "./trigger-lanes.ts";

type BatchRequests = ReturnType<typeof createBatchRequests>;

/** SQS limit per request. */
const entriesPerRequest = 10;
const longestSeconds = 43_200;

export function createBatchRequests(
  callAws: AwsCaller,
  queueUrls: readonly string[],
  log: Pick<Log, "warn">,
) {
  const ask = async (
    operation: string,
    whenFailed: string,
    records: readonly SQSRecord[],
    more: (record: SQSRecord) => object,
  ): Promise<void> => {
    for (const share of inParts(records, entriesPerRequest)) {
      const queueName = share[0]?.eventSourceARN.split(":").at(-1);
      const QueueUrl = queueUrls.find((url) => url.endsWith(`/${queueName}`));
      const Entries = share.map((record, index) => ({
        Id: String(index),
        ReceiptHandle: record.receiptHandle,
        ...more(record),
      }));
      const target = `AmazonSQS.${operation}`;
      await callAws({ service: "sqs", target, input: { QueueUrl, Entries } }).then(
        (answer) => warnOfFailed(answer, log),
        (error: unknown) => log.warn(whenFailed, { events: share.length, ...errorFields(error) }),
      );
    }
  };

  return {
    deleteRecords: (records: readonly SQSRecord[]) => {
      const whenFailed = "could not delete handled events early; SQS deletes them after the batch";
      return ask("DeleteMessageBatch", whenFailed, records, () => ({}));
    },
    /** If the queue cannot be reached, records stay hidden for its visibility timeout. */
    delayRecords: (records: readonly SQSRecord[], waitMs: (record: SQSRecord) => number) => {
      const whenFailed = "could not hide events for a while; they come back after the visibility timeout";
      return ask("ChangeMessageVisibilityBatch", whenFailed, records, (record) => ({
        VisibilityTimeout: Math.max(0, Math.min(Math.ceil(waitMs(record) / 1000), longestSeconds)),
      }));
    },
  };
}

function warnOfFailed(answer: unknown, log: Pick<Log, "warn">): void {
  const failed = isRecord(answer) && Array.isArray(answer.Failed) ? answer.Failed : [];
  if (failed.length === 0) return;
  const codes = failed.map((entry) => (isRecord(entry) ? entry.Code : undefined));
  log.warn("the queue refused a part of a batch", { events: failed.length, codes: [...new Set(codes)] });
}

interface ConsumerServices extends LaneServices, BatchRequests {
  readonly healthStore: HealthStore;
  readonly triggerLanes: TriggerLanes;
  readonly wakeRoom: (of: RoomKey, deadlineMs: number) => Promise<number | undefined>;
  readonly sendRoomTicket: SendRoomTicket;
  readonly random: () => number;
  /** Identifies a queue by URL or ARN. Tickets come from ParkedLanesQueue. */
  readonly sourceOf: (queueArn: string) => LaneSource | "tickets";
}

interface LaneShare {
  readonly ticket: Ticket;
  readonly records: readonly SQSRecord[];
}

interface Batch {
  readonly deadlineMs: number;
  readonly services: ConsumerServices;
  readonly healths: Map<string, Promise<AppHealth>>;
  /** The time of the next try per failed record; undefined: it depends on the number of receives. */
  readonly failed: Map<SQSRecord, number | undefined>;
}

/**
 * Runs the lanes of a batch concurrently, and the events of each lane in order. A failing lane is parked and
 * delays no other lane. Records return to the queue only if a table or queue rejected a write. Repeatable:
 * effects happen once.
 */
export async function consumeBatch(
  records: readonly SQSRecord[],
  deadlineMs: number,
  services: ConsumerServices,
): Promise<SQSBatchResponse> {
  const { delayRecords, sourceOf, random, now } = services;
  const batch: Batch = { deadlineMs, services, healths: new Map(), failed: new Map() };
  const source = records[0] === undefined ? "events" : sourceOf(records[0].eventSourceARN);
  if (source !== "tickets") await handleLanes(toShares(records, source), batch);
  else await Promise.all(records.map((record) => handleTicket(record, batch)));
  await Promise.all([...batch.healths.values()].map((reading) => writeDown(reading, batch)));

  const { failed } = batch;
  await delayRecords([...failed.keys()], (record) => {
    const wakeAt = failed.get(record);
    return wakeAt === undefined ? retryDelayMsAfter(receiveCountOf(record), random()) : wakeAt - now();
  });
  return { batchItemFailures: [...failed.keys()].map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

async function handleLanes(shares: readonly LaneShare[], batch: Batch): Promise<void> {
  const { sleep, deleteRecords } = batch.services;
  const answered = new AbortController();
  const early: Promise<void>[] = [];
  /**
   * Deletes a finished lane's records before the slowest lane ends, which would delay the lane's next events.
   */
  const deleteSoon = ({ records }: LaneShare) => {
    if (shares.length === 1) return;
    const isDue = sleep(earlyMs, answered.signal).then(
      () => deleteRecords(records),
      () => undefined,
    );
    early.push(isDue);
  };
  const byApp = Map.groupBy(shares, ({ ticket }) => ticket.appId);
  await Promise.all([...byApp].map(([appId, ofApp]) => handleApp(appId, ofApp, deleteSoon, batch)));
  answered.abort();
  await Promise.all(early);
}

/** A finished lane waits this long for others, to delete their records in one request. */
const earlyMs = 500;

async function handleApp(
  appId: string,
  shares: readonly LaneShare[],
  onDone: (share: LaneShare) => void,
  batch: Batch,
): Promise<void> {
  try {
    const health = await healthOf(appId, undefined, batch);
    const lanes = shares.map(({ ticket }) => ticket.lane);
    const parked = await batch.services.triggerLanes.findParked(lanes, health);
    const parkedOf = ({ ticket }: LaneShare) => parked.get(ticket.lane.id);
    await Promise.all(shares.map((share) => handleLane(share, parkedOf(share), health, onDone, batch)));
  } catch (error) {
    for (const { ticket, records } of shares) returnToQueue(ticket, records, error, batch);
  }
}

async function handleLane(
  share: LaneShare,
  parked: ParkedLane | undefined,
  health: AppHealth,
  onDone: (share: LaneShare) => void,
  batch: Batch,
): Promise<void> {
  const { ticket, records } = share;
  const { deadlineMs, services } = batch;
  const isInterrupted = receiveCountOf(records[0]) > 1;
  const handled = new Set<string>();
  const ofLane = records.map(toLaneRecord);
  try {
    await runLane({ ticket, records: ofLane, isInterrupted, parked, health, deadlineMs, handled }, services);
    onDone(share);
  } catch (error) {
    const left = records.filter(({ messageId }) => !handled.has(messageId));
    returnToQueue(ticket, left, error, batch);
  }
}

function returnToQueue(
  { appId }: Ticket,
  records: readonly SQSRecord[],
  error: unknown,
  { services, failed }: Batch,
): void {
  services.log.error("gave events back to the queue: what parks them could not be reached", {
    appId,
    events: records.length,
    ...errorFields(error),
  });
  for (const record of records) failed.set(record, undefined);
}

async function handleTicket(record: SQSRecord, batch: Batch): Promise<void> {
  const { deadlineMs, services, failed } = batch;
  const { log, sendTicket, wakeRoom, sendRoomTicket, now, random } = services;
  let sendAgain: (() => Promise<void>) | undefined;
  let dueAt: number | undefined;
  let appId: string | undefined;
  try {
    const message = parseJson(record.body);
    const room = readRoomTicket(message);
    if (room !== undefined) {
      sendAgain = () => sendRoomTicket(room);
      dueAt = await wakeRoom(room, deadlineMs);
    } else {
      const ticket = readTicket(message);
      ({ appId } = ticket);
      sendAgain = () => sendTicket(ticket);
      const health = await healthOf(ticket.appId, ticket.lease, batch);
      dueAt = await resumeLane({ ticket, health, deadlineMs }, services);
    }
  } catch (error) {
    dueAt = now() + retryDelayMsAfter(failuresOfTicket, random());
    // The process that took the lane may have died, and this may be its ticket.
    if (!(error instanceof LaneLostError)) {
      log.error("could not go on with a parked lane yet", {
        appId,
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
  failed.set(record, dueAt);
}

/** A failed ticket waits as after the third failure: 45 s. */
const failuresOfTicket = 3;

/** A ticket is replaced long before SQS would dead-letter it (infrastructure/queues.yml). */
const retiredAfter = 500;

function healthOf(appId: string, lease: string | undefined, batch: Batch): Promise<AppHealth> {
  const { healthStore: store, now } = batch.services;
  const name = `${appId} ${lease ?? ""}`;
  const reading =
    batch.healths.get(name) ??
    store.read(appId).then((record) => createAppHealth({ appId, record, store, now, lease }));
  batch.healths.set(name, reading);
  return reading;
}

async function writeDown(reading: Promise<AppHealth>, { services }: Batch): Promise<void> {
  const health = await reading.catch(() => undefined);
  await health?.flush().catch((error: unknown) => {
    services.log.warn("could not record an app's health; other processes learn less of it", {
      ...errorFields(error),
    });
  });
}

function toShares(records: readonly SQSRecord[], source: LaneSource): readonly LaneShare[] {
  const groups = Map.groupBy(records, ({ attributes, messageId }) => attributes.MessageGroupId ?? messageId);
  return [...groups].map(([group, ofGroup]) => {
    const facts = ofGroup.values().map(({ body }) => factsOf(parseJson(body)));
    const appId = facts.find((known) => known !== undefined)?.appId ?? "";
    return { ticket: { appId, lane: laneOf(source, group) }, records: ofGroup };
  });
}

function receiveCountOf(record: SQSRecord | undefined): number {
  return Number(record?.attributes.ApproximateReceiveCount ?? 1);
}
