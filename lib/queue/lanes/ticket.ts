import * as z from "zod/mini";
import { AwsCallError, type AwsCaller } from "../../aws/aws-call.ts";
import { inParts, mapConcurrently } from "../../base/batching.ts";
import { sha256Hex } from "../../base/digest.ts";
import type { RoomKey } from "../pauses/waiting-room.ts";
import { resultsIn, sendMessage } from "../send-message.ts";
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
  /** Absent if the deployment handles the lane, not a developer's machine (`listen`). */
  readonly lease?: string | undefined;
}

/** @throws if it is not a ticket */
export function readTicket(message: unknown): Ticket {
  const { appId, source, group, trigger, lease } = ticketSchema.parse(message);
  return { appId, lane: laneOf(source, group, trigger), lease };
}

const roomTicketSchema = z.object({
  v: z.literal(1),
  ticket: z.literal("pause"),
  appId: z.string(),
  pauseId: z.string(),
});

/** Returns undefined for other messages. */
export function readRoomTicket(message: unknown): RoomKey | undefined {
  const { data } = roomTicketSchema.safeParse(message);
  return data && { appId: data.appId, pauseId: data.pauseId };
}

export type SendTicket = (ticket: Ticket) => Promise<void>;
export type SendRoomTicket = (roomKey: RoomKey) => Promise<void>;
/** Sends ten tickets per request. */
export type SendTickets = (tickets: readonly Ticket[]) => Promise<void>;

const entriesPerRequest = 10;
const requestsAtOnce = 20;
const tries = 3;

/**
 * Senders throw AwsCallError unless the queue accepted all. A second ticket is harmless: one at a time is
 * delivered.
 * @param token returns a unique text
 */
export function createTicketSenders(callAws: AwsCaller, QueueUrl: string, token: () => string) {
  const sendOne = (message: TicketMessage) => sendMessage(callAws, QueueUrl, message);
  const sendTen = async (tickets: readonly Ticket[]): Promise<void> => {
    let left = tickets.map((ticket, index) => ({ Id: String(index), ...toTicketMessage(ticket, token()) }));
    for (let count = 1; left.length > 0; count += 1) {
      const input = { QueueUrl, Entries: left };
      const call = { service: "sqs", target: "AmazonSQS.SendMessageBatch", input } as const;
      const answer = await callAws(call);
      const sent = resultsIn(answer, "Successful");
      left = left.filter(({ Id }) => !sent.some((one) => one.Id === Id));
      if (left.length > 0 && count >= tries) {
        const code = String(resultsIn(answer, "Failed")[0]?.Code);
        throw new AwsCallError(call, { code, status: 200, maybeExecuted: false });
      }
    }
  };

  return {
    sendTicket: (ticket: Ticket) => sendOne(toTicketMessage(ticket, token())),
    sendRoomTicket: ({ appId, pauseId }: RoomKey) => {
      const body = { v: 1, ticket: "pause", appId, pauseId };
      return sendOne(toMessage(`pause ${appId} ${pauseId}`, body, token()));
    },
    sendTickets: async (tickets: readonly Ticket[]): Promise<void> => {
      await mapConcurrently(inParts(tickets, entriesPerRequest), requestsAtOnce, sendTen);
    },
  };
}

/** @param token a unique text */
export function toTicketMessage({ appId, lane, lease }: Ticket, token: string): TicketMessage {
  const { source, group, trigger, id } = lane;
  return toMessage(id, { v: 1, ticket: "parked-lane", appId, source, group, trigger, lease }, token);
}

type TicketMessage = Readonly<Record<"MessageBody" | "MessageGroupId" | "MessageDeduplicationId", string>>;

/**
 * The deduplication id is random: a repeated one would drop the ticket of a lane that is parked again
 * within five minutes.
 */
function toMessage(name: string, body: object, token: string): TicketMessage {
  return {
    MessageBody: JSON.stringify(body),
    MessageGroupId: sha256Hex(name),
    MessageDeduplicationId: sha256Hex(`${name} ${token}`),
  };
}
