import { sha256Hex } from "../../base/digest.ts";

// Marks record which of an app's lanes may be parked. Every invocation reads them with the app's health, so
// events of a healthy app cost one read per batch instead of one more per lane.
//
// Why an event cannot overtake a parked one although the lane is not read: a lane is parked only by the
// process that holds its first event, and marked before. The queue delivers no later event of a group while
// an earlier one is in flight [1], and the earlier one is deleted only after the lane was parked. So the
// process that holds the later event reads the health, consistently and after it received the event, later
// than the mark was written. A read must therefore belong to one invocation and never be kept for the next. A
// process that was taken for dead and continues may park a lane again whose event went to a successor as
// isolated; that successor has parked the lane before, so the mark exists.
//
// Why a mark does not end too early: a parked lane's state is deleted 15 days after its last write
// (lib/queue/lanes/lane-store.ts), and every write that extends it follows a mark that lives at least 16 more
// days.
//
// Marks are not removed when a lane is resumed: a process that parks it at that moment would lose its mark.
// Marks are kept per share of the lanes, so that one parked lane causes reads for one lane in 256, and one
// item holds all marks.
//
// [1]
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html

/** How long a mark is valid, in days. */
export const markDays = 17;
const dayMs = 24 * 60 * 60_000;
export const markMs = markDays * dayMs;
/** A mark is rewritten only when it is older than this, to save writes. */
export const markStepMs = dayMs;

/** Returns the share of an app's lanes that a lane belongs to, one of 256: `00` to `ff` (pure). */
export function shareOf(lane: string): string {
  return sha256Hex(lane).slice(0, 2);
}
