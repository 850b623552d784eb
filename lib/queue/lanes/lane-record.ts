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
  /** Steps that were finished before the message was buried. */
  readonly finished?: readonly string[];
  /** An operator sent it again so that it is handled however old it is. */
  readonly ignoresAge?: true;
}

/** Events that must stay in order. */
export interface Lane {
  readonly source: LaneSource;
  /** The queue's message group. */
  readonly group: string;
  /** Whose events wait in it, beside the lane that they came from; absent for the lane itself. */
  readonly trigger?: string;
  /** Names the lane on the table. */
  readonly id: string;
}

/** SQS numbers have 20 digits; room is left for longer ones. */
const sequenceDigits = 40;

/** Reads what a lane keeps of a queue's record. */
export function toLaneRecord({ messageId, body, attributes, messageAttributes }: SQSRecord): LaneRecord {
  const replayedAt = Number(messageAttributes.ReplayedAt?.stringValue);
  const finished = messageAttributes.Finished?.stringValue;
  return {
    messageId,
    messageBody: body,
    sequence: (attributes.SequenceNumber ?? "").padStart(sequenceDigits, "0"),
    ...(replayedAt > 0 && { replayedAt }),
    ...(finished !== undefined && finished !== "" && { finished: finished.split("\n") }),
    ...(messageAttributes.IgnoresAge !== undefined && { ignoresAge: true }),
  };
}

/** @param trigger the name of the trigger whose lane it is, beside the queue's; a queue's groups have no spaces */
export function laneOf(source: LaneSource, group: string, trigger?: string): Lane {
  const id = `${source} ${group}`;
  return trigger === undefined ? { source, group, id } : { source, group, trigger, id: `${id} ${trigger}` };
}

/** Names the conversation of a lane: a trigger's own lane there has the same. */
export function conversationOf({ source, group }: Lane): string {
  return laneOf(source, group).id;
}

/** Gives what stands for a lane in the log, by its id on the table or its message group: short, and nobody's name. */
export function laneNameOf(idOrGroup: string): string {
  return idOrGroup.slice(idOrGroup.indexOf(" ") + 1).slice(0, 16);
}
