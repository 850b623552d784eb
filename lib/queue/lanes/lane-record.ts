import type { SQSRecord } from "aws-lambda";

/** The ordered queues. */
export type LaneSource = "events" | "calls";

/** A message of a lane, as stored while the lane is parked. */
export interface LaneRecord {
  readonly messageId: string;
  readonly messageBody: string;
  /** Increases within a lane. Texts of equal length, so that text order is event order. */
  readonly sequence: string;
  /** Milliseconds since 1970 of an operator's replay. */
  readonly replayedAt?: number;
  /** Steps that were finished before the message was dead-lettered. */
  readonly finished?: readonly string[];
  /** An operator replays it regardless of its age. */
  readonly ignoresAge?: true;
}

/** The ordered work of one conversation. */
export interface Lane {
  readonly source: LaneSource;
  /** The queue's message group. */
  readonly group: string;
  /** The trigger whose events wait beside the conversation's lane; absent for the lane itself. */
  readonly trigger?: string;
  /** The lane's key on the table. */
  readonly id: string;
}

/** SQS numbers have 20 digits; leaves room for longer ones. */
const sequenceDigits = 40;

/** Converts a queue's record to its stored form. */
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

/** @param trigger set for a trigger's own lane; a queue's groups have no spaces */
export function laneOf(source: LaneSource, group: string, trigger?: string): Lane {
  const id = `${source} ${group}`;
  return trigger === undefined ? { source, group, id } : { source, group, trigger, id: `${id} ${trigger}` };
}

/** Returns the conversation of a lane; equal for a trigger's own lane. */
export function conversationOf({ source, group }: Lane): string {
  return laneOf(source, group).id;
}

/** Returns a short anonymous name of a lane for the log, from its table id or message group. */
export function laneNameOf(idOrGroup: string): string {
  return idOrGroup.slice(idOrGroup.indexOf(" ") + 1).slice(0, 16);
}
