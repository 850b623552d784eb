import * as z from "zod/mini";
import type { AwsCaller } from "../../aws/aws-call.ts";
import { sha256Hex } from "../../base/digest.ts";
import type { RoomOf } from "../pauses/waiting-room.ts";

const pauseTicketSchema = z.object({
  v: z.literal(1),
  ticket: z.literal("pause"),
  appId: z.string(),
  pauseId: z.string(),
});

/**
 * Reads a pause's ticket, parsed from JSON: its holder watches for the pause's end. @returns undefined for
 * other messages
 */
export function readPauseTicket(message: unknown): RoomOf | undefined {
  const read = pauseTicketSchema.safeParse(message);
  return read.success ? { appId: read.data.appId, pauseId: read.data.pauseId } : undefined;
}

/**
 * Sends a ticket to the parked lanes' queue so that a consumer watches for a pause's end. The queue delivers
 * one ticket per pause at a time, so a second one does no harm. @throws AwsCallError if the queue did not
 * accept it
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
