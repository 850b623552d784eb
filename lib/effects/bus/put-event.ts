import * as z from "zod/mini";
import type { AwsCaller } from "../../aws/aws-call.ts";
import type { BusEvent } from "./to-bus-event.ts";

/** Thrown when the bus took the call and refused the event; `code` is EventBridge's own. */
export class BusRefusedError extends Error {
  override readonly name = "BusRefusedError";
  readonly code: string;

  constructor(busName: string, code: string) {
    super(`The event bus ${busName} refused an event with ${code}. Check its size and the bus.`);
    this.code = code;
  }
}

/** What every rule of the bus can rely on. */
export const busSource = "cometchat-functions";

/**
 * Makes a function that puts one event onto an EventBridge bus. Repeating it, or a broken connection, may put it there
 * twice.
 * @throws AwsCallError when the bus gave no answer, BusRefusedError when it refused the event
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export function createPutEvent(callAws: AwsCaller, busName: string) {
  return async ({ detailType, detail, occurredAt }: BusEvent): Promise<void> => {
    const entry = {
      EventBusName: busName,
      Source: busSource,
      DetailType: detailType,
      Detail: JSON.stringify(detail),
      ...(occurredAt && { Time: Math.floor(occurredAt.getTime() / 1000) }),
    };
    const answer = await callAws({
      service: "events",
      target: "AWSEvents.PutEvents",
      isRepeatable: false,
      input: { Entries: [entry] },
    });
    // A refused entry is reported in an answer with status 200.
    const { FailedEntryCount, Entries } = answerSchema.parse(answer);
    if (FailedEntryCount > 0) throw new BusRefusedError(busName, Entries[0]?.ErrorCode ?? "no code");
  };
}

const answerSchema = z.object({
  FailedEntryCount: z.number(),
  Entries: z.array(z.object({ ErrorCode: z.optional(z.nullable(z.string())) })),
});
