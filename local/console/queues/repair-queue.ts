import { deadLetterKind, quarantineKind, type SetAsideKind } from "../../../cli/repair/open-operator.ts";
import type { OperatorServices } from "../../../lib/queue/operator-services.ts";
import { passedOverReason } from "../../../lib/queue/send-dead-letter.ts";
import type { PickedMessages, QueueName, RepairReport } from "../api/queues.ts";
import { refuseWhenBusy } from "../operate.ts";
import { WrongInputError } from "../read-input.ts";
import type { QueueReader } from "./look-at-queue.ts";

export interface RepairOrder {
  readonly act: "replay" | "drop";
  readonly queue: QueueName;
  readonly picked: PickedMessages;
  /** The number of messages that the user confirmed. */
  readonly expected: number;
  readonly signal: AbortSignal;
}

/** @throws WrongInputError if it is not an operator's queue */
export function queueKindOf(queue: QueueName): SetAsideKind {
  if (queue === "dead-letters") return deadLetterKind;
  if (queue === "quarantine") return quarantineKind;
  throw new WrongInputError(`Only dead letters and quarantine are replayed or dropped, not ${queue}.`);
}

/**
 * As `dead-letters replay` and `dead-letters drop`.
 * @throws WrongInputError if the selection differs from what was counted
 */
export async function repairQueue(
  order: RepairOrder,
  reader: QueueReader,
  services: OperatorServices,
): Promise<RepairReport> {
  const { act, queue, signal } = order;
  const kind = queueKindOf(queue);
  const ids = idsOf(order, reader);
  const work = { selection: { ids }, signal };
  const end = (
    done: number,
    selected: number,
    failure: string | undefined,
    kept: readonly string[] = [],
  ) => ({
    ...{ picked: ids.size, done },
    remarks: [...kept, ...remarksOf(ids.size - selected, failure)],
  });
  if (act === "drop") {
    const { dropped, selected, failure } = await kind.drop(work, services);
    return end(dropped.length, selected, failure);
  }
  const { ids: named, text } = order.picked;
  // Selecting only messages skipped as too old means to handle them despite their age.
  const ignoresAge = named?.length === 1 || text === passedOverReason;
  const replay = kind.replay({ ...work, ignoresAge }, services);
  const { replayed, selected, failure, ...kept } = await replay.catch(refuseWhenBusy);
  const why: readonly (readonly [number, string])[] = [
    [kept.tooOld, "received more than 30 days ago."],
    [kept.passedOver, "skipped as too old. Select only these to ignore their age."],
    [kept.unreadable, "they cannot be parsed."],
  ];
  const told = why.flatMap(([count, words]) => (count > 0 ? [`${count} not replayed: ${words}`] : []));
  return end(replayed, selected, failure, told);
}

function remarksOf(unseen: number, failure: string | undefined): readonly string[] {
  return [
    ...(unseen > 0 ? [`${unseen} could not be read: another consumer has received them.`] : []),
    ...(failure === undefined ? [] : [`It ended early: ${failure}. Repeat it for the remaining messages.`]),
  ];
}

/** Returns only the counted messages, not newer ones. */
function idsOf({ queue, picked, expected }: RepairOrder, reader: QueueReader): ReadonlySet<string> {
  const { ids, app: appId, ...filter } = picked;
  const { found } = reader.look(queue, { ...filter, appId, ...(ids && { ids: new Set(ids) }) });
  if (found.length === expected) return new Set(found.map(({ facts }) => facts.id));
  throw new WrongInputError(
    `${expected} were counted, but ${found.length} are selected now. Nothing was changed. Check the selection and repeat.`,
    409,
  );
}
