import { sha256Hex } from "../../base/digest.ts";

// Marks say which lanes may be parked. Every invocation reads them with the app's health, so a healthy app's
// events cost one read per batch.
// Why no event overtakes a parked one although its lane is not read: only the holder of a lane's first event
// parks it, after marking it. The queue delivers no later event of a group while an earlier one is in flight
// [1], and the earlier one is deleted only after parking. So the later event's holder reads the health,
// consistently, after the mark was written; a read must not be kept for the next invocation. A process taken
// for dead may park again a lane whose event went to a successor; the successor marked it.
// Why no mark ends too early: a parked lane's state is deleted 15 days after its last write (lane-store.ts),
// and each write that extends it follows a mark that lives at least 16 more days.
// Resuming removes no mark: a process that parks the lane at that moment would lose it. Marks are per share:
// one parked lane causes reads for one lane in 256, and one item holds all.
// [1]
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html

export const markDays = 17;
const dayMs = 24 * 60 * 60_000;
export const markMs = markDays * dayMs;
export const markStepMs = dayMs;

export function shareOf(lane: string): string {
  return sha256Hex(lane).slice(0, 2);
}
