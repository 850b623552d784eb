import { AwsCallError } from "../../../../lib/aws/aws-call.ts";
import type { Counted } from "../../../../lib/base/count-metric.ts";
import { composeOn, openConnection } from "../../../../lib/chat/compose.ts";
import { createListMessages, rawMessages } from "../../../../lib/operate/reconcile/list-messages.ts";
import {
  type Course,
  createReconcileMemory,
  type RunKind,
} from "../../../../lib/operate/reconcile/plan-run.ts";
import {
  type ReconciledApp,
  type ReconcileServices,
  reconcileApp,
} from "../../../../lib/operate/reconcile/reconcile-app.ts";
import type { QueueMessage } from "../../../../lib/queue/enqueue.ts";
import type { SendOutcome } from "../../../../lib/queue/enqueue-many.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

/** The start time: 2026-11-21T12:30:00Z, in seconds. */
export const nowSeconds = 1_795_264_200;

export const course = { since: nowSeconds - 3_600, until: nowSeconds - 120, after: undefined };

export function untilDeadline(ms: number) {
  return { shareEndsAt: nowSeconds * 1000 + ms, deadlineMs: nowSeconds * 1000 + ms };
}

export interface Listed {
  id: string;
  sentAt: number;
  [field: string]: unknown;
}

export function messageOf(id: number, sentAt: number, fields: object = {}): Listed {
  return {
    id: String(id),
    conversationId: "alice_user_support",
    sender: "alice",
    receiver: "support",
    receiverType: "user",
    category: "message",
    type: "text",
    data: { text: `text ${id}` },
    sentAt,
    updatedAt: sentAt,
    ...fields,
  };
}

/** A platform, a queue and a table in memory; waiting and working advance the clock. */
export function createReconcileWorld() {
  let nowMs = nowSeconds * 1000;
  const sleepers = new Set<{ readonly atMs: number; readonly wake: () => void }>();
  const messages: Listed[] = [];
  const sent: QueueMessage[] = [];
  const lines: { level: string; message: string; fields: object }[] = [];
  const counted: { name: string; appId: string | undefined; value: number }[] = [];
  const table = createMemoryTable("lane", "item");
  const note = (level: string) => (message: string, fields: object) => {
    lines.push({ level, message, fields });
  };

  const world = {
    messages,
    sent,
    lines,
    counted,
    table,
    /** How long a page of the list takes. */
    pageMs: 100,
    /** Messages younger than this are not listed yet. */
    lagSeconds: 0,
    /** A list without `id` begins with the newest messages. */
    beginsWithNewest: false,
    /** A page names the next one. */
    namesNext: true,
    /** Returns a response in place of a page, or undefined. */
    beforePage: (_url: URL): Response | undefined => undefined,
    /** Returns the outcome of each message; throws for the whole request. */
    onSend: (_message: QueueMessage): SendOutcome => "sent",
    requests: 0,
    pages: 0,
    now: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** When nothing else runs, the earliest sleeper wakes. */
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((wake, fail) => {
        const sleeper = { atMs: nowMs + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          fail(signal.reason);
        });
        setImmediate(wakeFirst);
      }),
    fill: (count: number, sentAt: (id: number) => number) => {
      for (let id = messages.length + 1, left = count; left > 0; id += 1, left -= 1)
        messages.push(messageOf(id, sentAt(id)));
    },
    run: (
      by: RunKind,
      range: Course = course,
      limits = untilDeadline(900_000),
      changed: Partial<ReconcileServices> = {},
    ) => reconcileApp(world.app(), by, range, limits, { ...world.services, ...changed }),
    /** The queue's message ids, without duplicates. */
    idsSent: () => [...new Set(sent.map(idIn))],
    app: (appId = "shop"): ReconciledApp => {
      const connection = openConnection({
        appId,
        region: "us",
        apiKey: "a".repeat(40),
        fetch: async (url) => answerList(new URL(String(url))),
        now: world.now,
        sleep: world.sleep,
      });
      const { messages: client } = composeOn(connection, { messages: rawMessages });
      return { appId, region: "us", listMessages: createListMessages(client) };
    },
    services: {
      memory: createReconcileMemory(table, () => nowMs),
      enqueueMany: async (batch: readonly QueueMessage[]): Promise<readonly SendOutcome[]> => {
        world.requests += 1;
        nowMs += 10;
        const outcomes = batch.map((message) => world.onSend(message));
        sent.push(...batch.filter((_, index) => outcomes[index] === "sent"));
        return outcomes;
      },
      sleep: async (ms: number) => {
        nowMs += ms;
      },
      now: () => nowMs,
      log: { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") },
      count: (
        name: string,
        { appId }: Readonly<Record<string, string>>,
        _facts?: object,
        { value = 1 }: Counted = {},
      ) => {
        counted.push({ name, appId, value });
      },
    },
  };

  function wakeFirst() {
    const [first] = [...sleepers].sort((a, b) => a.atMs - b.atMs);
    if (first === undefined) return;
    sleepers.delete(first);
    nowMs = Math.max(nowMs, first.atMs);
    first.wake();
  }

  function answerList(url: URL): Response {
    world.pages += 1;
    nowMs += world.pageMs;
    const instead = world.beforePage(url);
    if (instead !== undefined) return instead;
    const query = url.searchParams;
    const number = (name: string) => Number(query.get(name));
    const isBackwards = query.get("affix") === "prepend";
    const fitting = messages
      .filter(({ sentAt }) => sentAt >= number("fromTimestamp") && sentAt <= number("toTimestamp"))
      .filter(({ sentAt }) => sentAt <= nowMs / 1000 - world.lagSeconds)
      .filter(({ id }) => (isBackwards ? Number(id) < number("id") : Number(id) > number("id")))
      .toSorted((one, other) => Number(one.id) - Number(other.id));
    const endsLast = isBackwards || (world.beginsWithNewest && !query.has("id"));
    const meant = endsLast ? fitting.slice(-number("limit")) : fitting.slice(0, number("limit"));
    const last = meant.at(-1);
    const next = world.namesNext && last && { affix: "append", sentAt: last.sentAt, id: last.id };
    return Response.json({ data: meant, meta: { current: { count: meant.length }, ...(next && { next }) } });
  }
  return world;
}

export function idIn({ MessageBody }: QueueMessage): string {
  return JSON.parse(JSON.parse(MessageBody).body).data.message.id;
}

export function busyQueue(): never {
  throw new AwsCallError(
    { service: "sqs", target: "AmazonSQS.SendMessageBatch", input: {} },
    { code: "RequestThrottled", status: 403, maybeExecuted: false },
  );
}
