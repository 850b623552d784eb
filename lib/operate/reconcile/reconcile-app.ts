import { toQueueMessage } from "../../queue/enqueue.ts";
import { MessageTooLargeError } from "../../queue/message-text.ts";
import { type HandOverServices, handOver } from "./hand-over.ts";
import type { ListedMessage, ListMessages } from "./list-messages.ts";
import type { Course, ReconcileMemory, RunKind } from "./reconcile-memory.ts";
import { toDelivery } from "./to-delivery.ts";

/** One app, as far as reconciling goes. */
export interface ReconciledApp {
  readonly appId: string;
  readonly region: string;
  readonly listMessages: ListMessages;
}

export interface ReconcileServices extends HandOverServices {
  readonly memory: ReconcileMemory;
}

/** What a run did for an app. */
export interface HandedOver {
  /** Unix seconds, as all times of the platform. */
  readonly since: number;
  readonly until: number;
  /** Messages that the platform listed. */
  readonly listed: number;
  /** Messages that are on the queue now; those that came before change nothing there. */
  readonly handedOver: number;
  /** Messages that no webhook tells of, were blocked, or deleted meanwhile. */
  readonly passedOver: number;
  /** Messages that no queue takes, for their size. */
  readonly refused: number;
  /** False where time was up: the next run goes on there. */
  readonly isComplete: boolean;
}

/** Moments in milliseconds since 1970. */
export interface RunTime {
  /** No page is begun after it, but for the first: the other apps have their share, too. */
  readonly shareEndsAt: number;
  /** The function's time is up then. */
  readonly deadlineMs: number;
}

/** What a page may take after it was asked for: listing, ten messages a request, and writing down how far it came. */
const pageMs = 20_000;

/**
 * Hands all messages of a span to the events queue, under the names that the webhook's have, page by page. What was
 * handed over is remembered after each page, so that a run that ends early, or dies, is gone on with. May be repeated:
 * what was acted on is not acted on again.
 * @throws what listing, the queue and the table throw; what was handed over until then is remembered
 */
export async function reconcileApp(
  app: ReconciledApp,
  kind: RunKind,
  course: Course,
  { shareEndsAt, deadlineMs }: RunTime,
  services: ReconcileServices,
): Promise<HandedOver> {
  const { memory, now } = services;
  const { appId } = app;
  const { since, until } = course;
  const sums = { listed: 0, handedOver: 0, passedOver: 0, refused: 0 };
  let { after } = course;
  await memory.save(appId, kind, course);
  for (let isFirst = true; ; isFirst = false) {
    const isTimeUp = now() + pageMs > deadlineMs || (now() >= shareEndsAt && !isFirst);
    if (isTimeUp) return { since, until, ...sums, isComplete: false };
    const page = await app.listMessages(course, after, deadlineMs);
    const { messages, passedOver, refused } = await write(app, page.messages, now());
    const left = await handOver(messages, deadlineMs, services);
    sums.listed += page.messages.length;
    sums.handedOver += messages.length - left.refused;
    sums.passedOver += passedOver;
    sums.refused += refused + left.refused;
    if (page.next === undefined) {
      await memory.finish(appId, kind, until);
      return { since, until, ...sums, isComplete: true };
    }
    after = page.next;
    await memory.save(appId, kind, { since, until, after });
  }
}

async function write(app: ReconciledApp, listed: readonly ListedMessage[], receivedAt: number) {
  let passedOver = 0;
  let refused = 0;
  const messages = [];
  for (const { message } of listed) {
    const made = toDelivery(app, message, receivedAt);
    if (made === undefined) passedOver += 1;
    else {
      try {
        messages.push(await toQueueMessage(made.delivery, made.identity));
      } catch (error) {
        if (!(error instanceof MessageTooLargeError)) throw error;
        refused += 1;
      }
    }
  }
  return { messages, passedOver, refused };
}
