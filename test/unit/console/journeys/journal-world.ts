import { identify } from "../../../../lib/events/identity.ts";
import { toQueueMessage } from "../../../../lib/queue/enqueue.ts";
import type { HttpExchange } from "../../../../local/cloud/gateway/http-gateway.ts";
import { Journal } from "../../../../local/console/journeys/journal.ts";
import type { StoredDelivery } from "../../../../local/console/journeys/journey.ts";
import { showJourney } from "../../../../local/console/journeys/show-journey.ts";
import { type JourneyFilter, listJourneys } from "../../../../local/console/routes/journeys-routes.ts";
import { events } from "../../../../local/testing/events/events.ts";
import { requestRecord } from "../request-record.ts";

const appId = "app-1";
export const startMs = Date.UTC(2026, 2, 2, 8);

/** A journal and its sources: the platform, the receiver, the queue and the consumer, a step at a time. */
export function createJournalWorld(options: { mostJourneys?: number } = {}) {
  const stored = new Map<number, StoredDelivery>();
  /** Keys of dead letters, and ids in quarantine, that were dropped. */
  const dropped = new Set<string>();
  const left = { has: (name: string) => !dropped.has(name) };
  let nowMs = startMs;
  let deliveries = 0;
  let invocations = 0;
  const journal = new Journal({
    now: () => (nowMs += 1),
    readDelivery: (id) => stored.get(id),
    queueOf: (name) =>
      name === "events" || name === "calls" || name === "quarantine" || name === "dead-letters"
        ? name
        : "other",
    projectFolder: import.meta.dirname,
    setAside: () => ({ deadLetters: left, quarantine: left }),
    ...options,
  });

  const bodyOf = (messageId: string, webhook = "functions") =>
    JSON.stringify({ ...events.messageSent({ id: messageId, text: `text ${messageId}` }), appId, webhook });

  const queued = (body: string, requestId?: number) => {
    deliveries += 1;
    const id = deliveries;
    stored.set(id, {
      id,
      appId,
      webhookId: "functions",
      trigger: "message_sent",
      body,
      state: "pending",
      createdMs: nowMs,
      dueMs: nowMs,
      attempts: [],
    });
    journal.note({
      kind: "record",
      record: {
        seq: id,
        atMs: nowMs,
        type: "delivery.queued",
        appId,
        deliveryId: id,
        webhookId: "functions",
        trigger: "message_sent",
        requestId,
      },
    });
    return id;
  };

  const attempted = (
    deliveryId: number,
    of: { port?: number; status?: number | undefined; error?: string; isLast?: boolean } = {},
  ) => {
    const { port: localPort, error, isLast = true } = of;
    const status = "status" in of ? of.status : 200;
    const isWell = status === 200;
    journal.note({
      kind: "record",
      record: {
        seq: 0,
        atMs: nowMs,
        type: "delivery.attempt",
        appId,
        deliveryId,
        webhookId: "functions",
        trigger: "message_sent",
        number: 1,
        status,
        durationMs: 1,
        error,
        localPort,
        state: isWell ? "delivered" : isLast ? "lost" : "pending",
        nextAttemptMs: isWell || isLast ? undefined : nowMs + 10_000,
      },
    });
  };

  const newInvocation = () => {
    invocations += 1;
    return `invocation-${invocations}`;
  };

  const sent = (
    body: string,
    messageId: string,
    invocation: string | undefined,
    queueName = "events",
    attributes: readonly string[] = [],
  ) => {
    const identity = identify(JSON.parse(body), appId);
    if (identity === undefined) throw new Error("This is no event.");
    const delivery = { appId, bytes: Buffer.from(body), receivedAt: startMs };
    const { MessageBody, MessageGroupId, MessageDeduplicationId } = toQueueMessage(delivery, identity);
    journal.note({
      kind: "sent",
      sent: {
        queueName,
        messageId,
        body: MessageBody,
        groupId: MessageGroupId,
        deduplicationId: MessageDeduplicationId,
        attributes,
        invocation,
      },
    });
  };

  const exchanged = (body: string, of: { port: number; status?: number; invocation?: string }) => {
    const exchange: HttpExchange = {
      atMs: nowMs,
      durationMs: 1,
      method: "POST",
      path: `/webhooks/${appId}`,
      userAgent: "",
      contentType: "application/json",
      body: Buffer.from(body),
      status: of.status ?? 200,
      answer: Buffer.from("{}"),
      functionKey: "webhook",
      pathParameters: { appId },
      invocation: of.invocation,
      remotePort: of.port,
    };
    journal.note({ kind: "exchange", exchange });
  };

  const line = (messageId: string, message: string, fields: object = {}, requestId = "consumer-1") => {
    nowMs += 1;
    const timestamp = new Date(nowMs).toISOString();
    const names = { appId, trigger: "message_sent", queueMessageId: messageId, attempt: 1, requestId };
    const text = JSON.stringify({ timestamp, level: "INFO", message, ...names, ...fields });
    journal.note({ kind: "line", functionKey: "processEvents", line: text, atMs: nowMs });
  };

  const called = (traceparent: string, requestId: number, fault?: string) => {
    const record = requestRecord({ atMs: nowMs, requestId, appId, traceparent, fault });
    journal.note({ kind: "record", record });
  };

  /** One delivery of a message from the occurrence to the queue, as `q-…`. */
  const deliver = (messageId: string) => {
    const body = bodyOf(messageId);
    const id = queued(body);
    const invocation = newInvocation();
    sent(body, `q-${messageId}`, invocation);
    exchanged(body, { port: 1, invocation });
    attempted(id, { port: 1 });
    return id;
  };

  return {
    dropped,
    journal,
    bodyOf,
    queued,
    attempted,
    sent,
    exchanged,
    line,
    called,
    deliver,
    newInvocation,
    lines: (messageId: string, ...all: readonly (readonly [message: string, fields?: object])[]) => {
      for (const [message, fields] of all) line(messageId, message, fields);
    },
    batch: (messageIds: readonly string[], requestId = "consumer-1", error?: string) =>
      journal.note({
        kind: "batch",
        batch: {
          type: "batch",
          functionKey: "processEvents",
          requestId,
          durationMs: 1,
          failures: error === undefined ? [] : [...messageIds],
          ...(error !== undefined && { error }),
          records: messageIds.map((messageId) => ({
            messageId,
            receiptHandle: "",
            body: "",
            messageAttributes: {},
            md5OfBody: "",
            eventSource: "aws:sqs",
            eventSourceARN: "arn:aws:sqs:us-east-1:0:events",
            awsRegion: "us-east-1",
            attributes: {
              SentTimestamp: "0",
              ApproximateFirstReceiveTimestamp: "5",
              ApproximateReceiveCount: "1",
              SenderId: "",
            },
          })),
        },
      }),
    list: (filter: JourneyFilter = {}) => listJourneys(journal.store, filter),
    show: (id: string, body?: string) => {
      const journey = journal.store.journeys.get(id);
      if (journey === undefined) throw new Error(`There is no journey ${id}.`);
      const { store } = journal;
      return showJourney(journey, { store, body, place: undefined, bodiesOf: () => undefined });
    },
  };
}
