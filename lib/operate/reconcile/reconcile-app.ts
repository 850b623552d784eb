import { toQueueMessage } from "../../queue/enqueue.ts";
import { MessageTooLargeError } from "../../queue/message-text.ts";
import { type HandOverServices, handOver } from "./hand-over.ts";
import type { ListedMessage, ListMessages } from "./list-messages.ts";
import type { Course, ReconcileMemory, RunKind } from "./reconcile-memory.ts";
import type { HandedOver } from "./reconcile-result.ts";
import { toDelivery } from "./to-delivery.ts";

export interface ReconciledApp {
  readonly appId: string;
  readonly region: string;
  readonly listMessages: ListMessages;
}

export interface ReconcileServices extends HandOverServices {
  readonly memory: ReconcileMemory;
}

/** Milliseconds since 1970. */
export interface RunTime {
  /** Then no page but the first begins: the other apps have their share. */
  readonly shareEndsAt: number;
  readonly deadlineMs: number;
}

/** After its request: listing, ten messages per request, and recording. */
const pageMs = 20_000;

/**
 * Under the webhook's keys. Records its progress after each page, where the next run continues. May be
 * repeated: handled messages are not handled again.
 * @throws what listing, the queue and the table throw; the progress so far is recorded
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
