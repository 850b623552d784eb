import type { SQSBatchResponse, SQSRecord } from "aws-lambda";
import { insist } from "../../aws/table.ts";
import { errorFields } from "../../base/describe-error.ts";
import { parseJson } from "../../base/json.ts";
import { type AppHealth, createAppHealth } from "../../effects/health/app-health.ts";
import type { HealthStore } from "../../effects/health/health-store.ts";
import { factsOf } from "../read-queued-event.ts";
import { createEarlyEnds, receiveCountOf, sentMsOf } from "./batch-requests.ts";
import { consumeTickets, failuresOfTicket, retiredAfter, type TicketServices } from "./consume-tickets.ts";
import { type LaneSource, laneOf, toLaneRecord } from "./lane-record.ts";
import { eventLimitMs } from "./lane-services.ts";
import type { ParkedLane } from "./lane-store.ts";
import { retryDelayMsAfter } from "./retry-delay.ts";
import { runLane } from "./run-lane.ts";
import type { Ticket } from "./ticket.ts";
import type { TriggerLanes } from "./trigger-lanes.ts";

interface ConsumerServices extends TicketServices {
  readonly healthStore: HealthStore;
  readonly triggerLanes: TriggerLanes;
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
  /** The time of the next try per failed record. */
  readonly failed: Map<SQSRecord, number>;
}

/**
 * Runs the lanes of a batch concurrently, the events of each in order. A failing lane is parked. Only a
 * failing table or queue returns records, whose lanes count as crashed. Repeatable: effects happen once.
 */
export async function consumeBatch(
  records: readonly SQSRecord[],
  deadlineMs: number,
  services: ConsumerServices,
): Promise<SQSBatchResponse> {
  const { delayRecords, sourceOf, now } = services;
  const batch: Batch = { deadlineMs, services, healths: new Map(), failed: new Map() };
  const source = records[0] === undefined ? "events" : sourceOf(records[0].eventSourceARN);
  const returned: SQSRecord[] = [];
  if (source !== "tickets") await handleLanes(toShares(records, source), batch);
  else {
    const known = (appId: string, lease: string | undefined) => healthOf(appId, lease, batch);
    const kept = await consumeTickets(records, { deadlineMs, healthOf: known }, services);
    for (const [record, dueAt] of kept.dueAt) batch.failed.set(record, dueAt);
    returned.push(...kept.returned);
  }
  await Promise.all([...batch.healths.values()].map((reading) => writeDown(reading, batch)));

  const { failed } = batch;
  await delayRecords([...failed.keys()], (record) => (failed.get(record) ?? 0) - now());
  const kept = [...failed.keys(), ...returned];
  return { batchItemFailures: kept.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

async function handleLanes(shares: readonly LaneShare[], batch: Batch): Promise<void> {
  const { sleep, deleteRecords } = batch.services;
  const early = createEarlyEnds(sleep);
  const deleteSoon = ({ records }: LaneShare) => {
    if (shares.length > 1) early.add(() => deleteRecords(records));
  };
  const byApp = Map.groupBy(shares, ({ ticket }) => ticket.appId);
  await Promise.all([...byApp].map(([appId, ofApp]) => handleApp(appId, ofApp, deleteSoon, batch)));
  await early.close();
}

const longestReadMs = 20_000;

async function handleApp(
  appId: string,
  shares: readonly LaneShare[],
  onDone: (share: LaneShare) => void,
  batch: Batch,
): Promise<void> {
  const { services } = batch;
  const lanes = shares.map(({ ticket }) => ticket.lane);
  const read = async () => {
    const health = await healthOf(appId, undefined, batch);
    return { health, parked: await services.triggerLanes.findParked(lanes, health) };
  };
  const untilMs = Math.min(services.now() + longestReadMs, batch.deadlineMs - eventLimitMs);
  try {
    const { health, parked } = await insist(read, untilMs, services);
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
  { services: { log, noteWait, random, now }, failed }: Batch,
): void {
  log.error("gave events back to the queue: what parks them could not be reached", {
    appId,
    events: records.length,
    ...errorFields(error),
  });
  noteWait(appId, sentMsOf(records[0]));
  for (const record of records) failed.set(record, now() + returnDelayMsOf(record, random()));
}

/**
 * A FIFO queue hides the whole conversation, so the wait stays short: 45 s. After seven hours it grows to
 * 12 minutes, because SQS dead-letters a message that it handed out 1,000 times (infrastructure/queues.yml).
 */
function returnDelayMsOf(record: SQSRecord, random: number): number {
  const receives = receiveCountOf(record);
  return retryDelayMsAfter(receives < retiredAfter ? Math.min(receives, failuresOfTicket) : receives, random);
}

function healthOf(appId: string, lease: string | undefined, batch: Batch): Promise<AppHealth> {
  const { healthStore: store, now } = batch.services;
  const name = `${appId} ${lease ?? ""}`;
  const known = batch.healths.get(name);
  if (known !== undefined) return known;
  const reading = store.read(appId).then((record) => createAppHealth({ appId, record, store, now, lease }));
  batch.healths.set(name, reading);
  reading.catch(() => batch.healths.delete(name));
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
