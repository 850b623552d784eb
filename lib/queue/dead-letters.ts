import { parseJson } from "../base/json.ts";
import { type DeadLetter, readDeadLetter } from "./dead-letter.ts";
import { type DropOptions, type DropReport, dropSetAside } from "./drop-set-aside.ts";
import type { HeldMessage } from "./held-queue.ts";
import { type Found, type LookOptions, lookThrough } from "./look-through.ts";
import { type OperatorServices, openForOperator, withPatience } from "./operator-services.ts";
import { bytesOf, readQueuedEvent } from "./read-queued-event.ts";
import type { ReplayReport } from "./replay-report.ts";
import { type Comeback, type ReplayOptions, replaySetAside } from "./replay-set-aside.ts";
import type { Selection } from "./set-aside.ts";

/**
 * Lists what was buried. Changes nothing; while it runs, nobody else sees the messages.
 * @throws AwsCallError when the queue gives no answer
 */
export async function listDeadLetters(
  selection: Selection,
  services: OperatorServices,
  options?: LookOptions,
): Promise<Found<DeadLetter>> {
  return lookThrough(await openForOperator("deadLetters", services), readDeadLetter, selection, options);
}

/**
 * Finds one buried message, with what the platform sent or, where it is no delivery, the message itself. It may hold what
 * people wrote. Undefined when it is not there, or in somebody else's hands. Changes nothing.
 * @throws AwsCallError when the queue gives no answer
 */
export async function showDeadLetter(
  id: string,
  services: OperatorServices,
  options?: LookOptions,
): Promise<{ readonly letter: DeadLetter; readonly content: string } | undefined> {
  let content = "";
  const read = (message: HeldMessage) => {
    if (message.id === id) content = contentOf(message.body);
    return readDeadLetter(message);
  };
  const { found } = await lookThrough(await openForOperator("deadLetters", services), read, { id }, options);
  const [letter] = found;
  return letter && { letter, content };
}

/**
 * Brings buried messages back into the queues where they came from, with the steps that were finished, in order among
 * themselves: by receipt, then by burial. What is buried again comes back again at the next replay.
 *
 * Not kept is the order with the rest of the lane: what was handled meanwhile is done, and what waits already, parked or in
 * the queue, comes before them. Texts that speak of time are sent as they are. The report's note says so to whoever starts it.
 *
 * A queue hands out 120,000 messages at most: beyond 100,000 it goes on in rounds, each ordered for itself, as long as a round
 * brings something back; of what SQS moved itself, ten of a lane at a time. What could not be seen is counted.
 * @throws AwsCallError when the queue cannot be looked through, QueueBusyError when somebody else has messages of it; a
 * failure to send ends the run and is told in the report. May be repeated in every case, also after its process died.
 */
export async function replayDeadLetters(
  options: ReplayOptions,
  services: OperatorServices,
): Promise<ReplayReport> {
  const queue = await openForOperator("deadLetters", services);
  const kind = {
    read: readDeadLetter,
    prepare: (message: HeldMessage, letter: DeadLetter) => prepareLetter(message, letter, services),
  };
  return replaySetAside(queue, kind, options, services);
}

/**
 * Deletes buried messages for good: what they told is acted on never again. Rehearse first, and pass what the rehearsal
 * picked, so that nothing goes that came meanwhile.
 * @throws AwsCallError when the queue cannot be looked through; a failure to delete ends the run and is told in the
 * report. May be repeated in every case, also after its process died.
 */
export async function dropDeadLetters(options: DropOptions, services: OperatorServices): Promise<DropReport> {
  const queue = await openForOperator("deadLetters", services);
  const kind = { read: readDeadLetter, mayHideOthers: ({ wasMoved }: DeadLetter) => wasMoved };
  return dropSetAside(queue, kind, options, services);
}

function prepareLetter(
  { body }: HeldMessage,
  { origin, group, finished, wasMoved }: DeadLetter,
  { callAws, queueUrls }: OperatorServices,
): Comeback | undefined {
  if (origin === undefined || group === "") return undefined;
  return {
    lane: `${origin} ${group}`,
    mayHideOthers: wasMoved,
    finished: finished.join("\n"),
    send: async ({ deduplicationId, attributes }) => {
      await withPatience(callAws)({
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

function contentOf(body: string): string {
  try {
    return bytesOf(readQueuedEvent(parseJson(body))).toString("utf8");
  } catch {
    // What is no event of this version is shown as it is.
    return body;
  }
}
