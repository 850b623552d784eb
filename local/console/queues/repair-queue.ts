import { deadLetterKind, quarantineKind, type SetAsideKind } from "../../../cli/repair/set-aside-kind.ts";
import type { OperatorServices } from "../../../lib/queue/operator-services.ts";
import { passedOverReason } from "../../../lib/queue/send-dead-letter.ts";
import { QueueBusyError } from "../../../lib/queue/wait-for-others.ts";
import type { PickedMessages, QueueName, RepairReport } from "../api/queues.ts";
import { WrongInputError } from "../read-input.ts";
import type { QueueReader } from "./look-at-queue.ts";

export interface RepairOrder {
  readonly queue: QueueName;
  readonly picked: PickedMessages;
  /** The number of messages that the user confirmed. */
  readonly expected: number;
  readonly signal: AbortSignal;
}

export interface RepairEdges {
  readonly services: OperatorServices;
  readonly reader: QueueReader;
}

/** @throws WrongInputError if it is not an operator's queue */
export function queueKindOf(queue: QueueName): SetAsideKind {
  if (queue === "dead-letters") return deadLetterKind;
  if (queue === "quarantine") return quarantineKind;
  throw new WrongInputError(`Only dead letters and quarantine are replayed or dropped, not ${queue}.`);
}

/**
 * As `dead-letters replay`.
 * @throws WrongInputError if the selection differs from what was counted
 */
export async function replayPicked(order: RepairOrder, edges: RepairEdges): Promise<RepairReport> {
  const kind = queueKindOf(order.queue);
  const ids = idsOf(order, edges.reader);
  const report = await kind
    .replay({ selection: { ids }, ignoresAge: picksPassedOver(order), signal: order.signal }, edges.services)
    .catch(refuseWhenInHand);
  const { tooOld, passedOver, unreadable, replayed, failure } = report;
  return {
    picked: ids.size,
    done: replayed,
    remarks: [
      ...(tooOld > 0 ? [`${tooOld} not replayed: received more than 30 days ago.`] : []),
      ...(passedOver > 0
        ? [`${passedOver} not replayed: skipped as too old. Select only these to ignore their age.`]
        : []),
      ...(unreadable > 0 ? [`${unreadable} not replayed: they cannot be parsed.`] : []),
      ...remarksOf(ids.size - report.selected, failure),
    ],
  };
}

/** Selecting only messages skipped as too old means to handle them despite their age. */
function picksPassedOver({ picked: { ids, text } }: RepairOrder): boolean {
  return ids?.length === 1 || text === passedOverReason;
}

/**
 * As `dead-letters drop`.
 * @throws WrongInputError if the selection differs from what was counted
 */
export async function dropPicked(order: RepairOrder, edges: RepairEdges): Promise<RepairReport> {
  const kind = queueKindOf(order.queue);
  const ids = idsOf(order, edges.reader);
  const { dropped, selected, failure } = await kind.drop(
    { selection: { ids }, signal: order.signal },
    edges.services,
  );
  return { picked: ids.size, done: dropped.length, remarks: remarksOf(ids.size - selected, failure) };
}

/** Returns only the counted messages, not newer ones. */
function idsOf({ queue, picked, expected }: RepairOrder, reader: QueueReader): ReadonlySet<string> {
  const { ids, app, trigger, cause, text } = picked;
  const selection = { appId: app, trigger, cause, text, ...(ids && { ids: new Set(ids) }) };
  const { found } = reader.look(queue, selection);
  if (found.length !== expected) {
    throw new WrongInputError(
      `${expected} were counted, but ${found.length} are selected now. Nothing was changed. Check the selection and repeat.`,
      409,
    );
  }
  return new Set(found.map(({ facts }) => facts.id));
}

function remarksOf(unseen: number, failure: string | undefined): readonly string[] {
  return [
    ...(unseen > 0 ? [`${unseen} could not be read: another consumer has received them.`] : []),
    ...(failure === undefined ? [] : [`It ended early: ${failure}. Repeat it for the remaining messages.`]),
  ];
}

function refuseWhenInHand(error: unknown): never {
  if (!(error instanceof QueueBusyError)) throw error;
  throw new WrongInputError(`Nothing was changed. ${error.message}`, 409);
}
