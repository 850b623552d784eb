import { describeError } from "../base/describe-error.ts";
import { sha256Hex } from "../base/digest.ts";
import type { ReplayMark } from "./enqueue.ts";
import type { HeldMessage, HeldQueue, Hold } from "./held-queue.ts";
import { HoldOverError } from "./hold-over-error.ts";
import { countUnseen, type LookOptions, mostHolds, takeAll } from "./look-through.ts";
import { oldestMs } from "./message-facts.ts";
import { createReplayTally, type ReplayReport } from "./replay-report.ts";
import { passedOverReason } from "./send-dead-letter.ts";
import { isSelected, type Selection, type SetAside } from "./set-aside.ts";
import { waitForOthers } from "./wait-for-others.ts";

/** Reads and replays the messages of one kind of queue. */
export interface ReplayKind<Facts extends SetAside> {
  read(message: HeldMessage): Facts;
  /** @returns undefined for an unreadable message, which stays */
  prepare(message: HeldMessage, facts: Facts): ReplayItem | undefined;
}

export interface ReplayItem {
  /** Messages of one lane are replayed in order. */
  readonly lane: string;
  /** True if deleting this message may reveal more of its lane. */
  readonly mayHideOthers: boolean;
  /** Steps that need not run again, as the consumer reads them. */
  readonly finished?: string | undefined;
  send(mark: ReplayMark): Promise<void>;
}

export interface ReplayOptions extends LookOptions {
  readonly selection?: Selection;
  /** Only counts. Default: false. */
  readonly rehearse?: boolean;
  /**
   * Also replays messages received more than 30 days ago, for a consumer with ACT_ON_OLD_EVENTS. Default:
   * false.
   */
  readonly includesOld?: boolean;
  /**
   * Also replays messages that triggers skipped as too old, and has all handled regardless of age. Default:
   * false.
   */
  readonly ignoresAge?: boolean;
}

interface Letter extends ReplayItem {
  readonly facts: SetAside;
  readonly hold: Hold;
  readonly sequence: string;
}

export interface ReplayEdges {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Replays messages: sends each to its original queue with a replay mark, and deletes it here once accepted.
 * Works in rounds: reads all visible messages, sends the selected ones (lanes concurrently, each in order),
 * and reads again while more may have been hidden. May die at any point, be repeated, or run twice
 * concurrently: a message is here, there, or in both, and then the queue drops the second one or the ledger
 * stops its effects.
 * @throws AwsCallError if the queue cannot be read, QueueBusyError if another reader holds messages of it
 */
export async function replaySetAside<Facts extends SetAside>(
  queue: HeldQueue,
  kind: ReplayKind<Facts>,
  options: ReplayOptions,
  { now, sleep }: ReplayEdges,
): Promise<ReplayReport> {
  const {
    selection = {},
    rehearse = false,
    includesOld = false,
    ignoresAge = false,
    most = mostHolds,
  } = options;
  const { signal, onProgress } = options;
  if (!rehearse) await waitForOthers(queue, sleep);
  const startedAt = now();
  const tally = createReplayTally(rehearse);
  const holds = new Set<Hold>();
  let letters: Letter[] = [];
  let looked = 0;
  const tell = () => onProgress?.({ looked, done: tally.replayed });

  const look = (message: HeldMessage, hold: Hold, isFirstRound: boolean) => {
    // A message replayed by this run may be back already.
    if (!isFirstRound && message.sentAt >= startedAt) return;
    const facts = kind.read(message);
    if (!isSelected(facts, selection)) return;
    const comeback = kind.prepare(message, facts);
    const isTooOld = facts.receivedAt !== undefined && startedAt - facts.receivedAt > oldestMs;
    const isLeft = facts.reason === passedOverReason && !ignoresAge;
    const isReplayable = comeback !== undefined && !isLeft && (includesOld || !isTooOld);
    const why = comeback === undefined ? "unreadable" : isLeft ? "passedOver" : "tooOld";
    tally.count(facts, isReplayable ? "replayable" : why);
    if (isReplayable) letters.push({ ...comeback, facts, hold, sequence: message.sequence });
  };

  try {
    for (let round = 1; ; round += 1) {
      const isAll = await takeAll(
        queue,
        holds,
        (message, hold) => {
          look(message, hold, round === 1);
          looked += 1;
          tell();
        },
        most,
        signal,
      );
      tally.unseen = await countUnseen(queue, holds);
      if (rehearse) break;

      const lanes = [...Map.groupBy(letters, ({ lane }) => lane).values()].map(splitLane);
      letters = lanes.flatMap(({ later }) => later);
      const before = tally.replayed;
      await sendLanes(lanes.map(({ ready }) => ready));
      if (tally.failure !== undefined || tally.replayed === before) break;
      if (isAll && !lanes.some(({ ready }) => ready.some(({ mayHideOthers }) => mayHideOthers))) break;
    }
  } finally {
    await queue.returnToQueue([...holds]);
  }
  return tally.report();

  /** The first failure ends the run: later messages of the lane must not be replayed before it. */
  async function sendLanes(lanes: readonly (readonly Letter[])[]): Promise<void> {
    const waiting = lanes.values();
    const work = async () => {
      for (const lane of waiting) {
        for (const letter of lane) {
          if (tally.failure !== undefined) return;
          await comeBack(letter).catch((error: unknown) => {
            tally.failure ??= describeError(error);
          });
        }
      }
    };
    await Promise.all(Array.from({ length: lanesAtATime }, work));
  }

  async function comeBack({ facts, hold, finished, send }: Letter): Promise<void> {
    signal?.throwIfAborted();
    if (now() >= hold.heldUntil) throw new HoldOverError();
    await send(toReplayMark(facts, finished, ignoresAge, now()));
    await queue.delete(hold);
    holds.delete(hold);
    tally.replayed += 1;
    tell();
  }
}

const lanesAtATime = 10;

/**
 * Orders a lane by receipt: a message that was replayed alone and dead-lettered again lies behind later ones.
 * If the queue may hide messages behind one of these, messages received after it wait for the next round.
 */
function splitLane(lane: readonly Letter[]): { ready: readonly Letter[]; later: readonly Letter[] } {
  const sorted = lane.toSorted(
    (one, other) =>
      (one.facts.receivedAt ?? 0) - (other.facts.receivedAt ?? 0) ||
      one.facts.setAsideAt - other.facts.setAsideAt ||
      one.sequence.localeCompare(other.sequence),
  );
  const last = sorted.findLastIndex(({ mayHideOthers }) => mayHideOthers);
  const end = last < 0 ? sorted.length : last + 1;
  return { ready: sorted.slice(0, end), later: sorted.slice(end) };
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
