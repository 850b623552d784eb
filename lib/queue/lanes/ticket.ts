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

/** A message of the parked lanes' queue: whoever holds it may go on with the lane. */
export interface Ticket {
  readonly appId: string;
  readonly lane: Lane;
  /** The id of the lease under which its holder acts in the deployment's place; absent for the deployment itself. */
  readonly lease?: string | undefined;
}

/** Reads a ticket, parsed from JSON. @throws if it is none: only this system writes to that queue */
export function readTicket(message: unknown): Ticket {
  const { appId, source, group, trigger, lease } = ticketSchema.parse(message);
  return { appId, lane: laneOf(source, group, trigger), ...(lease !== undefined && { lease }) };
}

/**
 * Sends a ticket for a lane. The queue hands out one ticket of a lane at a time, so a second one is no harm. Its
 * deduplication id is new each time: the queue would drop the ticket of a lane that is parked again within five minutes, and a
 * moment is not new where clocks differ.
 * @throws AwsCallError when the queue did not take it
 */
export type SendTicket = (ticket: Ticket) => Promise<void>;

/** @param token gives a text that nobody else gives */
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

/** Writes a ticket as the queue's message (pure). @param token a text that no other ticket has */
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
