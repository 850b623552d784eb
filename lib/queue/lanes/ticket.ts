import * as z from "zod/mini";
import { AwsCallError, type AwsCaller } from "../../aws/aws-call.ts";
import { sha256Hex } from "../../base/digest.ts";
import { isRecord } from "../../base/json.ts";
import type { RoomOf } from "../pauses/waiting-room.ts";
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

export interface Ticket {
  readonly appId: string;
  readonly lane: Lane;
  /** Under which its holder acts for the deployment; absent for the deployment itself. */
  readonly lease?: string | undefined;
}

/** @throws if it is not a ticket: only this system writes to that queue */
export function readTicket(message: unknown): Ticket {
  const { appId, source, group, trigger, lease } = ticketSchema.parse(message);
  return { appId, lane: laneOf(source, group, trigger), ...(lease !== undefined && { lease }) };
}

/**
 * A lane's second ticket does no harm: one at a time is delivered. Each has a new deduplication id: otherwise
 * the queue would drop that of a lane parked again within five minutes, and timestamps are not unique if
 * clocks differ.
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

/**
 * Pure.
 * @param token a unique text
 */
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

const pauseTicketSchema = z.object({
  v: z.literal(1),
  ticket: z.literal("pause"),
  appId: z.string(),
  pauseId: z.string(),
});

/**
 * Its holder watches for the pause's end.
 * @returns undefined for other messages
 */
export function readPauseTicket(message: unknown): RoomOf | undefined {
  const read = pauseTicketSchema.safeParse(message);
  return read.success ? { appId: read.data.appId, pauseId: read.data.pauseId } : undefined;
}

/**
 * A pause's second ticket does no harm: one at a time is delivered.
 * @throws AwsCallError if the queue did not accept it
 */
export type SendPauseTicket = (of: RoomOf) => Promise<void>;

export function createSendPauseTicket(
  callAws: AwsCaller,
  parkedLanesQueueUrl: string,
  token: () => string,
): SendPauseTicket {
  return async ({ appId, pauseId }) => {
    const name = `pause ${appId} ${pauseId}`;
    await callAws({
      service: "sqs",
      target: "AmazonSQS.SendMessage",
      input: {
        QueueUrl: parkedLanesQueueUrl,
        MessageBody: JSON.stringify({ v: 1, ticket: "pause", appId, pauseId }),
        MessageGroupId: sha256Hex(name),
        MessageDeduplicationId: sha256Hex(`${name} ${token()}`),
      },
    });
  };
}

const entriesPerRequest = 10;
const requestsAtOnce = 20;
const tries = 3;

/**
 * Ten per request. Repeatable: a lane's second ticket does no harm.
 * @param token returns a unique text
 * @throws AwsCallError unless all were accepted
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html
 */
export function createSendTickets(
  callAws: AwsCaller,
  parkedLanesQueueUrl: string,
  token: () => string,
): (tickets: readonly Ticket[]) => Promise<void> {
  const send = async (tickets: readonly Ticket[]): Promise<void> => {
    let left = tickets.map((ticket, index) => ({ Id: String(index), ...toTicketMessage(ticket, token()) }));
    for (let count = 1; left.length > 0; count += 1) {
      const call = {
        service: "sqs",
        target: "AmazonSQS.SendMessageBatch",
        input: { QueueUrl: parkedLanesQueueUrl, Entries: left },
      } as const;
      const answer = await callAws(call);
      const failed = isRecord(answer) && Array.isArray(answer.Failed) ? answer.Failed.filter(isRecord) : [];
      left = left.filter(({ Id }) => failed.some((one) => one.Id === Id));
      if (left.length > 0 && count >= tries) {
        throw new AwsCallError(call, { code: String(failed[0]?.Code), status: 200, maybeExecuted: false });
      }
    }
  };

  return async (tickets) => {
    const requests: (readonly Ticket[])[] = [];
    for (let start = 0; start < tickets.length; start += entriesPerRequest) {
      requests.push(tickets.slice(start, start + entriesPerRequest));
    }
    for (let start = 0; start < requests.length; start += requestsAtOnce) {
      await Promise.all(requests.slice(start, start + requestsAtOnce).map(send));
    }
  };
}
