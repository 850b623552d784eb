import * as z from "zod/mini";
import type { AwsCaller } from "../../aws/aws-call.ts";
import { sha256Hex } from "../../base/digest.ts";
import { type Lane, laneOf } from "./lane-record.ts";

const ticketSchema = z.object({
  v: z.literal(1),
  ticket: z.literal("parked-lane"),
  appId: z.string(),
  source: z.enum(["events", "calls"]),
  group: z.string(),
  trigger: z.optional(z.string()),
  lease: z.optional(z.string()),
});

/** A message of the parked lanes' queue: its holder may resume the lane. */
export interface Ticket {
  readonly appId: string;
  readonly lane: Lane;
  /** The id of the lease under which its holder acts for the deployment; absent for the deployment itself. */
  readonly lease?: string | undefined;
}

/** Reads a ticket, parsed from JSON. @throws if it is not a ticket: only this system writes to that queue */
export function readTicket(message: unknown): Ticket {
  const { appId, source, group, trigger, lease } = ticketSchema.parse(message);
  return { appId, lane: laneOf(source, group, trigger), ...(lease !== undefined && { lease }) };
}

/**
 * Sends a lane's ticket. The queue delivers one ticket per lane at a time, so a second one does no harm. Each
 * has a new deduplication id: otherwise the queue would drop the ticket of a lane that is parked again within
 * five minutes, and a timestamp is not unique if clocks differ.
 * @throws AwsCallError if the queue did not accept it
 */
export type SendTicket = (ticket: Ticket) => Promise<void>;

export function createSendTicket(
  callAws: AwsCaller,
  parkedLanesQueueUrl: string,
  token: () => string,
): SendTicket {
  return async (ticket) => {
    await callAws({
      service: "sqs",
      target: "AmazonSQS.SendMessage",
      input: { QueueUrl: parkedLanesQueueUrl, ...toTicketMessage(ticket, token()) },
    });
  };
}

/** Returns the queue's message for a ticket (pure). @param token a unique text */
export function toTicketMessage(
  { appId, lane, lease }: Ticket,
  token: string,
): Readonly<Record<string, string>> {
  const { source, group, trigger, id } = lane;
  return {
    MessageBody: JSON.stringify({ v: 1, ticket: "parked-lane", appId, source, group, trigger, lease }),
    MessageGroupId: sha256Hex(id),
    MessageDeduplicationId: sha256Hex(`${id} ${token}`),
  };
}
