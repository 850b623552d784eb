import { parseJson } from "../base/json.ts";
import { type DeadLetter, readDeadLetter } from "./dead-letter.ts";
import { type DropOptions, type DropReport, dropSetAside } from "./drop-set-aside.ts";
import type { HeldMessage } from "./held-queue.ts";
import { type Found, type LookOptions, lookThrough } from "./look-through.ts";
import { type OperatorServices, openForOperator, withOperatorTimeouts } from "./operator-services.ts";
import { bytesOf, queuedBodySchema } from "./read-queued-event.ts";
import type { ReplayReport } from "./replay-report.ts";
import { type ReplayItem, type ReplayOptions, replaySetAside } from "./replay-set-aside.ts";
import type { Selection } from "./set-aside.ts";

/**
 * Changes nothing, but hides the messages from other readers meanwhile.
 * @throws AwsCallError
 */
export async function listDeadLetters(
  selection: Selection,
  services: OperatorServices,
  options?: LookOptions,
): Promise<Found<DeadLetter>> {
  return lookThrough(await openForOperator("deadLetters", services), readDeadLetter, selection, options);
}

/**
 * With the platform's payload or, if not a delivery, the message itself: may contain users' texts. Changes
 * nothing.
 * @returns undefined if absent or hidden by another reader
 * @throws AwsCallError
 */
export async function showDeadLetter(
  id: string,
  services: OperatorServices,
  options?: LookOptions,
): Promise<{ readonly message: DeadLetter; readonly content: string } | undefined> {
  let content = "";
  const read = (message: HeldMessage) => {
    if (message.id === id) content = contentOf(message.body);
    return readDeadLetter(message);
  };
  const { found } = await lookThrough(await openForOperator("deadLetters", services), read, { id }, options);
  const [message] = found;
  return message && { message, content };
}

/**
 * Sends dead letters to their original queues with their finished steps, ordered by receipt, then by
 * dead-lettering.
 * The order relative to the rest of the lane is lost: events handled meanwhile are done, and waiting ones,
 * parked or queued, come first. Texts that mention the time are sent unchanged. The report's note says so.
 * A queue delivers at most 120,000 messages: beyond 100,000 the replay continues in rounds, each ordered by
 * itself, while a round replays anything. Messages that SQS moved come ten per lane and round. Unread
 * messages are counted.
 * @throws AwsCallError if the queue cannot be read, QueueBusyError if another reader holds messages. A failed
 * send ends the run and is reported. Repeatable, also after its process died.
 */
export async function replayDeadLetters(
  options: ReplayOptions,
  services: OperatorServices,
): Promise<ReplayReport> {
  const queue = await openForOperator("deadLetters", services);
  const kind = {
    read: readDeadLetter,
    prepare: (message: HeldMessage, deadLetter: DeadLetter) => prepareReplay(message, deadLetter, services),
  };
  return replaySetAside(queue, kind, options, services);
}

/**
 * Rehearse first and pass the rehearsal's ids, to spare later arrivals.
 * @throws AwsCallError if the queue cannot be read. A failed delete ends the run and is reported. Repeatable,
 * also after its process died.
 */
export async function dropDeadLetters(options: DropOptions, services: OperatorServices): Promise<DropReport> {
  const queue = await openForOperator("deadLetters", services);
  const kind = { read: readDeadLetter, mayHideOthers: ({ wasMoved }: DeadLetter) => wasMoved };
  return dropSetAside(queue, kind, options, services);
}

function prepareReplay(
  { body }: HeldMessage,
  { origin, group, finished, wasMoved }: DeadLetter,
  { callAws, queueUrls }: OperatorServices,
): ReplayItem | undefined {
  if (origin === undefined || group === "") return undefined;
  return {
    lane: `${origin} ${group}`,
    mayHideOthers: wasMoved,
    finished: finished.join("\n"),
    send: async ({ deduplicationId, attributes }) => {
      await withOperatorTimeouts(callAws)({
        service: "sqs",
        target: "AmazonSQS.SendMessage",
        input: {
          QueueUrl: queueUrls[origin],
          MessageBody: body,
          MessageGroupId: group,
          MessageDeduplicationId: deduplicationId,
          MessageAttributes: attributes,
        },
      });
    },
  };
}

/** Returns the platform's payload of a queue's message or, if it is not a delivery, the message itself. */
export function contentOf(body: string): string {
  try {
    const { gzip, ...rest } = queuedBodySchema.parse(parseJson(body));
    return bytesOf({ ...rest, ...(gzip && { gzip }) }).toString("utf8");
  } catch {
    return body;
  }
}
