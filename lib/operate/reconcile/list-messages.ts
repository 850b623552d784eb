import * as z from "zod/mini";
import type { AwsCaller } from "../../aws/aws-call.ts";
import { type MetricSeries, readMetrics, readOldest } from "../../aws/read-metrics.ts";
import { metricNamespace } from "../../base/count-metric.ts";
import { OwnError } from "../../base/errors.ts";
import { readText } from "../../base/json.ts";
import { hasRefusedItem } from "../../chat/judge-answer.ts";
import type { Family, FamilyClient } from "../../chat/operation.ts";
import { unexpectedShape } from "../../chat/read-answer.ts";
import { messages } from "../../chat/resources/messages.ts";
import { isFullPage } from "../../chat/send-once.ts";
import { identify } from "../../events/identity.ts";
import { reconcileWebhook } from "../../events/occurrence.ts";
import {
  isReported,
  receivedAgainMetric,
  receivedDimensions,
  receivedMetric,
  sentAtOf,
} from "../../handle/count-received.ts";

/** The client's parser would drop fields of unexpected types. */
export const rawMessages = {
  list: { ...messages.list, answer: () => z.unknown() },
} as const satisfies Family;

/** Unix seconds by the platform's clock, inclusive. */
export interface Span {
  readonly since: number;
  readonly until: number;
}

/** The platform returned other messages than the next ones: the span would look complete. */
class ListNotWholeError extends OwnError {
  override readonly name = "ListNotWholeError";
}

export interface ListedMessage {
  readonly id: string;
  readonly message: unknown;
}

/**
 * Continues by id: many messages may share a page's last second. Repeatable.
 * @throws ListNotWholeError, what the client throws
 */
export type ListMessages = ReturnType<typeof createListMessages>;

/** Lists the whole app, as it has no acting user (docs/internals/platform/messages.md#listing-messages). */
export function createListMessages(client: FamilyClient<typeof rawMessages>) {
  return async (span: Span, after: string | undefined, deadlineMs: number) => {
    const page = await client
      .list(
        {
          ...rangeOf(span),
          affix: "append",
          limit: messagesPerPage,
          withTags: true,
          ...(after !== undefined && { id: after }),
        },
        { deadlineMs },
      )
      .page();
    if (hasRefusedItem(page.items)) throw unexpectedShape(messages.list);
    if (after !== undefined && isBehind(page.items, after))
      throw new ListNotWholeError(
        `The platform's list of messages does not continue after message ${after}.`,
      );
    const listed = within(span, page.items);
    const [first] = listed;
    const isFull = isFullPage(page.items.length, page.meta);
    const times = page.items.map((item) => sentAtOf(item) ?? 0);
    const isPast = after !== undefined && times.every((time) => time > span.until);
    const isJustBefore = times.every((time) => time === span.since - 1);
    if (isFull && first === undefined && !isPast && !isJustBefore)
      throw new ListNotWholeError("The platform's list of messages begins outside the span.");
    if (after === undefined && first !== undefined && isFull)
      await assertBeginning(client, span, first.id, deadlineMs);
    // A full page may be followed by another, even if the answer names none.
    return { messages: listed, next: readText(page.next, "id") ?? (isFull ? listed.at(-1)?.id : undefined) };
  };
}

/** Whether it includes its ends is not documented. */
function rangeOf({ since, until }: Span) {
  return { fromTimestamp: since - 1, toTimestamp: until + 1 };
}

/** Guards against a platform that ignores the range. */
function within({ since, until }: Span, items: readonly unknown[]) {
  const listed = items.flatMap((message) => {
    const [id, sentAt] = [readText(message, "id"), sentAtOf(message)];
    const isMeant = sentAt !== undefined && sentAt >= since && sentAt <= until;
    return id !== undefined && isMeant ? [{ id, message }] : [];
  });
  return listed.toSorted(byId);
}

/** It is not documented what a list without `id` begins with (docs/internals/platform/unknown.md#rest). */
async function assertBeginning(
  client: FamilyClient<typeof rawMessages>,
  span: Span,
  id: string,
  deadlineMs: number,
) {
  // Reads two: it is not documented whether the list also contains `id`.
  const { items } = await client
    .list({ ...rangeOf(span), affix: "prepend", id, limit: 2 }, { deadlineMs })
    .page();
  const before = within(span, items).findLast((one) => byId(one, { id }) < 0 && one.id !== id);
  if (before !== undefined)
    throw new ListNotWholeError(
      `The platform's list of messages begins after message ${before.id} of the span.`,
    );
}

/** @see docs/internals/platform/answers-and-errors.md#lists-by-cursor */
const messagesPerPage = 1_000;

/**
 * True if no message is after `after` and they span several seconds: some cursors include their own message.
 */
function isBehind(items: readonly unknown[], after: string): boolean {
  const ids = items.flatMap((item) => readText(item, "id") ?? []);
  const seconds = new Set(items.map(sentAtOf));
  return seconds.size > 1 && ids.every((id) => id === after || byId({ id }, { id: after }) < 0);
}

/** Compares numbers as text, of any length (docs/internals/platform/ids-and-limits.md#message-ids). */
function byId(one: Pick<ListedMessage, "id">, other: Pick<ListedMessage, "id">): number {
  return one.id.length - other.id.length || (one.id < other.id ? -1 : 1);
}

export interface ReceivedCounts {
  /** Counted at the first receive. */
  readonly received: number;
  /** Some may not have been counted. */
  readonly again: number;
}

export type ReceivedMeter = ReturnType<typeof createReceivedMeter>;

/** Its methods throw AwsCallError. */
export function createReceivedMeter(callAws: AwsCaller, deployment: string, eventsQueueUrl: string) {
  return {
    /** Keyed by the hours' start in unix seconds. Repeatable. */
    countsOf: async (
      appId: string,
      hours: readonly number[],
    ): Promise<ReadonlyMap<number, ReceivedCounts>> => {
      const [first] = hours;
      const last = hours.at(-1);
      if (first === undefined || last === undefined) return new Map();
      const dimensions = receivedDimensions(deployment, appId);
      const [received, again] = await readMetrics(
        callAws,
        [receivedMetric, receivedAgainMetric].map((name) => {
          return { namespace: metricNamespace, name, dimensions, stat: "Sum" as const };
        }),
        { fromMs: first * 1000, toMs: (last + hourSeconds) * 1000 },
        hourSeconds,
      );
      const at = (series: MetricSeries | undefined, hour: number) =>
        series?.find(([start]) => start === hour)?.[1] ?? 0;
      return new Map(hours.map((hour) => [hour, { received: at(received, hour), again: at(again, hour) }]));
    },

    /**
     * No message sent before the returned time still waited on the events queue at `at` (now or earlier).
     * Both in unix seconds.
     */
    waitingSince: async (at: number) => {
      const newest = await readOldest(callAws, eventsQueueUrl, at * 1000, lookedAtMs);
      if (newest === undefined) return at;
      const [minute, ageSeconds] = newest;
      return minute - ageSeconds;
    },
  };
}

const hourSeconds = 3_600;
const lookedAtMs = 1_800_000;

/**
 * @returns undefined if the webhook would not have reported the message, or if it was deleted
 * @see docs/internals/platform/events.md#envelope
 */
export function toDelivery(
  { appId, region }: { readonly appId: string; readonly region: string },
  message: unknown,
  receivedAt: number,
) {
  if (!isReported(message) || message.deletedAt) return undefined;
  const body = { trigger: "message_sent", data: { message }, appId, region, webhook: reconcileWebhook };
  const identity = identify(body, appId);
  if (identity === undefined) return undefined;
  const text = JSON.stringify(body);
  return { delivery: { appId, bytes: Buffer.from(text), text, receivedAt }, identity };
}
