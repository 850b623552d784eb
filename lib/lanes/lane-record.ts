import type { SQSRecord } from "aws-lambda";

/** The queues whose messages have an order to keep. */
export type LaneSource = "events" | "calls";

/** A message of a lane: what is kept of it while the lane is parked. */
export interface LaneRecord {
  readonly messageId: string;
  readonly messageBody: string;
  /** Grows within a lane; as text of equal length, so that order of text is order of events. */
  readonly sequence: string;
  /** Milliseconds since 1970, when an operator sent the message again. */
  readonly replayedAt?: number;
  /** Milliseconds since 1970, when the queue first handed it out; days after its receipt, if the consumer was switched off. */
  readonly handedOutAt?: number;
  /** Steps that were finished before the message was buried. */
  readonly finished?: readonly string[];
}

/** Events that must stay in order. */
export interface Lane {
  readonly source: LaneSource;
  /** The queue's message group. */
  readonly group: string;
  /** Names the lane on the table. */
  readonly id: string;
}

/** SQS numbers have 20 digits; room is left for longer ones. */
const sequenceDigits = 40;

/** Reads what a lane keeps of a queue's record. */
export function toLaneRecord({ messageId, body, attributes, messageAttributes }: SQSRecord): LaneRecord {
  const replayedAt = Number(messageAttributes.ReplayedAt?.stringValue);
  const handedOutAt = Number(attributes.ApproximateFirstReceiveTimestamp);
  const finished = messageAttributes.Finished?.stringValue;
  return {
    messageId,
    messageBody: body,
    sequence: (attributes.SequenceNumber ?? "").padStart(sequenceDigits, "0"),
    ...(replayedAt > 0 && { replayedAt }),
    ...(handedOutAt > 0 && { handedOutAt }),
    ...(finished !== undefined && finished !== "" && { finished: finished.split("\n") }),
  };
}

/**
 * Tells from when on an event may be made to wait, in milliseconds since 1970: its receipt, a later replay, or when the queue
 * first handed it out. Nothing is given up for the time in which nobody tried.
 */
export function patienceBeginsAt(
  receivedAt: number,
  { replayedAt = 0, handedOutAt = 0 }: Pick<LaneRecord, "replayedAt" | "handedOutAt">,
): number {
  return Math.max(receivedAt, replayedAt, handedOutAt);
}

export function laneOf(source: LaneSource, group: string): Lane {
  return { source, group, id: `${source} ${group}` };
}
