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

/** Reads a ticket of a pause, parsed from JSON: whoever holds it looks after that pause's end. Undefined for any other. */
export function readPauseTicket(message: unknown): RoomOf | undefined {
  const read = pauseTicketSchema.safeParse(message);
  return read.success ? { appId: read.data.appId, pauseId: read.data.pauseId } : undefined;
}

/**
 * Sends for somebody who looks after a pause's end, in the parked lanes' queue. It hands out one ticket of a pause at a time,
 * so a second one is no harm. @throws AwsCallError when the queue did not take it
 */
export type SendPauseTicket = (of: RoomOf) => Promise<void>;

/** @param token gives a text that nobody else gives */
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
