import { describeError } from "../base/describe-error.ts";
import { sha256Hex } from "../base/digest.ts";
import { passedOverReason } from "./bury.ts";
import type { ReplayMark } from "./enqueue.ts";
import type { HeldMessage, HeldQueue, Hold } from "./held-queue.ts";
import { HoldOverError } from "./hold-over-error.ts";
import { countUnseen, type LookOptions, mostHolds, takeAll } from "./look-through.ts";
import { oldestMs } from "./message-facts.ts";
import { createReplayTally, type ReplayReport } from "./replay-report.ts";
import { isSelected, type Selection, type SetAside } from "./set-aside.ts";
import { waitForOthers } from "./wait-for-others.ts";

/** How the messages of one kind of queue are read and brought back. */
export interface ReplayKind<Facts extends SetAside> {
  read(message: HeldMessage): Facts;
  /** Undefined for a message that nothing can be made of: it stays where it is. */
  prepare(message: HeldMessage, facts: Facts): Comeback | undefined;
}

/** A message that can come back. */
export interface Comeback {
  /** Messages of one lane come back in order. */
  readonly lane: string;
  /** True where the queue may have more of the lane, which it hands out when this message is deleted. */
  readonly mayHideOthers: boolean;
  /** Steps that need not run again, as the consumer reads them. */
  readonly finished?: string | undefined;
  send(mark: ReplayMark): Promise<void>;
}

export interface ReplayOptions extends LookOptions {
  readonly selection?: Selection;
  /** Only counts. Default: false. */
  readonly rehearse?: boolean;
  /** Brings back what was received more than 30 days ago, too, for a consumer with ACT_ON_OLD_EVENTS. Default: false. */
  readonly includesOld?: boolean;
  /** Brings back what triggers passed over as too old, too, and has everything handled however old it is. Default: false. */
  readonly ignoresAge?: boolean;
}

interface Letter extends Comeback {
  readonly facts: SetAside;
  readonly hold: Hold;
  readonly sequence: string;
}

export interface ReplayEdges {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Brings messages back: each is sent to where it came from, with a mark of the replay, and deleted here when it was taken
 * there. Works in rounds: look through all that is free, send what is picked, lane beside lane, each in order, and look again
 * as long as something may have been hidden. May die at any point and be repeated, or run twice at once: a message is either
 * here or there, and if it is in both, the second one is dropped by the queue, or finds in the ledger what was done.
 * @throws AwsCallError when the queue cannot be looked through, QueueBusyError when somebody else has messages of it
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
    // What this run brought back may be here again already.
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
    await queue.giveBack([...holds]);
  }
  return tally.report();

  /** The first failure ends all: whatever came later of the same lane must not come back before it. */
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
 * Sorts a lane by receipt: what was brought back alone and buried again lies behind what came after it. Where the queue may
 * hide messages behind one of these, what was received later than that one has to wait for the next round.
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
