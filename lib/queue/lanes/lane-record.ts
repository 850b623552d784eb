import type { SQSRecord } from "aws-lambda";

export type LaneSource = "events" | "calls";

export function isLaneSource(source: unknown): source is LaneSource {
  return source === "events" || source === "calls";
}

export interface LaneRecord {
  readonly messageId: string;
  readonly messageBody: string;
  /** Increases within a lane, in texts of equal length, so that their order is the order of events. */
  readonly sequence: string;
  readonly replayedAt?: number;
  readonly finished?: readonly string[] | undefined;
  readonly ignoresAge?: true;
}

/** The ordered work of one conversation, or of one trigger in it. */
export interface Lane {
  readonly source: LaneSource;
  readonly group: string;
  /** Set for a trigger lane: the events of one trigger that wait beside their conversation. */
  readonly trigger?: string;
  readonly id: string;
}

const sequenceDigits = 40;

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

export function laneOf(source: LaneSource, group: string, trigger?: string): Lane {
  const id = `${source} ${group}`;
  return trigger === undefined ? { source, group, id } : { source, group, trigger, id: `${id} ${trigger}` };
}

export function conversationOf({ source, group }: Lane): string {
  return laneOf(source, group).id;
}

/** Also accepts a trigger lane's id. */
export function conversationIdOf(laneId: string): string {
  return laneId.split(" ", 2).join(" ");
}

export function countConversations(laneIds: Iterable<string>): number {
  return new Set([...laneIds].map(conversationIdOf)).size;
}

export function laneNameOf(idOrGroup: string): string {
  return idOrGroup.slice(idOrGroup.indexOf(" ") + 1).slice(0, 16);
}
