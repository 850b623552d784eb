import { sha256Hex } from "../base/digest.ts";
import type { ReplayMark } from "./enqueue.ts";
import type { HeldMessage, HeldQueue } from "./held-queue.ts";
import { oldestMs } from "./message-facts.ts";
import { type ReplayReport, replayNote } from "./replay-report.ts";
import { passedOverReason } from "./send-dead-letter.ts";
import { createSelectionTally, isSelected, type Selection, type SetAside } from "./set-aside.ts";
import { waitForOthers } from "./wait-for-others.ts";
import { type WorkItem, type WorkOptions, workOff } from "./work-off.ts";

export interface ReplayKind<Facts extends SetAside> {
  read(message: HeldMessage): Facts;
  /** @returns undefined for an unreadable message, which stays */
  prepare(message: HeldMessage, facts: Facts): ReplayItem | undefined;
}

export interface ReplayItem extends Pick<WorkItem, "lane" | "mayHideOthers"> {
  readonly finished?: string | undefined;
  send(mark: ReplayMark): Promise<void>;
}

export interface ReplayOptions extends WorkOptions {
  readonly selection?: Selection;
  /** Also messages received more than 30 days ago, for a consumer with ACT_ON_OLD_EVENTS. Default: false. */
  readonly includesOld?: boolean;
  /** Also messages skipped as too old; all are handled regardless of age. Default: false. */
  readonly ignoresAge?: boolean;
}

export interface ReplayEdges {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * As `workOff`: sends each to its original queue with a replay mark, then deletes it. A message is here,
 * there, or in both, and then the queue drops the second one or the ledger stops its effects.
 * @throws AwsCallError if the queue cannot be read, QueueBusyError if another reader holds messages
 */
export async function replaySetAside<Facts extends SetAside>(
  queue: HeldQueue,
  kind: ReplayKind<Facts>,
  options: ReplayOptions,
  { now, sleep }: ReplayEdges,
): Promise<ReplayReport> {
  const { selection = {}, rehearse: isRehearsal = false, includesOld = false, ignoresAge = false } = options;
  if (!isRehearsal) await waitForOthers(queue, sleep);
  const startedAt = now();
  const counts = { replayable: 0, tooOld: 0, passedOver: 0, unreadable: 0 };
  const tally = createSelectionTally();

  const select = (message: HeldMessage, isFirstRound: boolean): WorkItem | undefined => {
    // A message that this run replayed may be back already.
    if (!isFirstRound && message.sentAt >= startedAt) return undefined;
    const facts = kind.read(message);
    if (!isSelected(facts, selection, message.body)) return undefined;
    tally.count(facts);
    const item = kind.prepare(message, facts);
    const isLeft = facts.reason === passedOverReason && !ignoresAge;
    const isTooOld = facts.receivedAt !== undefined && startedAt - facts.receivedAt > oldestMs;
    if (item === undefined || isLeft || (isTooOld && !includesOld)) {
      counts[item === undefined ? "unreadable" : isLeft ? "passedOver" : "tooOld"] += 1;
      return undefined;
    }
    counts.replayable += 1;
    const send = () => item.send(toReplayMark(facts, item.finished, ignoresAge, now()));
    return { ...item, facts, send };
  };
  const { done, unseen, failure } = await workOff(queue, select, options, now);
  return {
    ...{ isRehearsal, ...tally.counts(), ...counts },
    ...{ replayed: done.length, unseen, failure, note: replayNote },
  };
}

function toReplayMark(
  { id, setAsideAt }: SetAside,
  finished: string | undefined,
  ignoresAge: boolean,
  atMs: number,
): ReplayMark {
  const text = (value: string) => ({ DataType: "String", StringValue: value });
  return {
    deduplicationId: sha256Hex(`replay ${id} ${setAsideAt}`),
    attributes: {
      ReplayedAt: text(String(atMs)),
      ...(finished !== undefined && finished !== "" && { Finished: text(finished) }),
      ...(ignoresAge && { IgnoresAge: text("yes") }),
    },
  };
}
