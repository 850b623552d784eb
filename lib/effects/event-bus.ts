import * as z from "zod/mini";
import type { AwsCaller } from "../aws/aws-call.ts";
import { OwnError } from "../base/own-error.ts";
import type { AppEvent } from "../events/app-event.ts";

/** An event as other teams receive it from the bus. */
export interface BusEvent {
  /** The trigger, for rules of the bus. */
  readonly detailType: string;
  /** A JSON object; see docs/triggers.md for its fields. */
  readonly detail: object;
  readonly occurredAt: Date | undefined;
}

/**
 * Converts an event for the bus: the common fields, and the platform's `data` (for a derived event, its
 * facts). `key` identifies repetitions, because the bus may deliver twice.
 */
export function toBusEvent(event: AppEvent): BusEvent {
  const { key, appId, region, engine, trigger, occurredAt, actor, conversation } = event.head;
  const detail = {
    key,
    appId,
    region,
    engine,
    trigger,
    occurredAt,
    actor,
    conversation,
    data: dataOf(event),
  };
  return { detailType: trigger, detail, occurredAt };
}

function dataOf(event: AppEvent): unknown {
  if (event.kind !== "derived") return event.data;
  const { kind: _, head: __, trigger: ___, ...facts } = event;
  return facts;
}

/** Thrown if the bus accepted the call and rejected the event. `code` is EventBridge's. */
export class BusRefusedError extends OwnError {
  override readonly name = "BusRefusedError";
  readonly code: string;

  constructor(busName: string, code: string) {
    super(`The event bus ${busName} refused an event with ${code}. Check its size and the bus.`);
    this.code = code;
  }
}

/** The source that rules of the bus can match. */
export const busSource = "cometchat-functions";

/**
 * Returns a function that puts one event onto an EventBridge bus. A repetition or a broken connection may put
 * it twice.
 * @throws AwsCallError if the bus did not answer, BusRefusedError if it rejected the event
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
    // EventBridge reports a rejected entry in a response with status 200.
    const { FailedEntryCount, Entries } = answerSchema.parse(answer);
    if (FailedEntryCount > 0) throw new BusRefusedError(busName, Entries[0]?.ErrorCode ?? "no code");
  };
}

const answerSchema = z.object({
  FailedEntryCount: z.number(),
  Entries: z.array(z.object({ ErrorCode: z.optional(z.nullable(z.string())) })),
});
