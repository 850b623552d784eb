import { sha256Hex } from "../../base/digest.ts";

// An app's health, which every invocation reads, says which of its lanes may be parked, so that the others need not be
// asked for: a healthy app's events cost one read a batch instead of one more for each lane.
//
// Why an event cannot overtake a parked one for want of asking. A lane is parked only by whoever has its first event in
// hand, and marked before. The queue hands out no later event of a group while an earlier one is in flight [1], and the
// earlier one is deleted only after the lane was parked. So whoever has the later event reads the health, consistently and
// after the event came, later than the mark was written. A read must therefore belong to one invocation and never be kept
// for the next. A process that was thought dead and goes on parks again what its successor was handed as a suspect; that
// successor has parked the lane before, so that the mark is there, too.
//
// Why a mark does not end too early. A parked lane's state is forgotten 15 days after it was last written
// (lib/queue/lanes/lane-store.ts), and every write that makes it live longer comes after a mark that lives at least 16 days more.
//
// Marks are not taken back when a lane flows again: who parks it meanwhile would lose his. They are kept by shares of
// the lanes instead, so that one lane in trouble makes one in 256 ask, and an item has room for all of them.
//
// [1] https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html

/** How long a mark says that a share's lanes may be parked. */
export const markDays = 17;
const dayMs = 24 * 60 * 60_000;
export const markMs = markDays * dayMs;
/** A mark is written anew when it is older than this, so that no event in trouble costs a write for it. */
export const markStepMs = dayMs;

/** Names the share of an app's lanes that a lane belongs to, one of 256: `00` to `ff` (pure). */
export function shareOf(lane: string): string {
  return sha256Hex(lane).slice(0, 2);
}
