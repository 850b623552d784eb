import * as z from "zod/mini";
import type { AwsCaller } from "../aws/aws-call.ts";
import { OwnError } from "../base/errors.ts";
import { maybeText } from "../chat/answers.ts";
import type { AppEvent } from "../events/app-event.ts";

export interface BusEvent {
  readonly detailType: string;
  readonly detail: object;
  readonly occurredAt: Date | undefined;
}

/**
 * Has the platform's `data` (of a derived event, its fields) and the common fields. `key` identifies
 * repetitions: the bus may deliver twice.
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

export class BusRefusedError extends OwnError {
  override readonly name = "BusRefusedError";
  readonly code: string;

  constructor(busName: string, code: string) {
    super(`The event bus ${busName} refused an event with ${code}. Check its size and the bus.`);
    this.code = code;
  }
}

export const busSource = "cometchat-functions";

/**
 * Puts one event onto an EventBridge bus; a repetition or broken connection may put it twice.
 * @throws AwsCallError if the bus did not answer, BusRefusedError
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export function createPutEvent(callAws: AwsCaller, busName: string) {
  return async ({ detailType, detail, occurredAt }: BusEvent) => {
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
      input: { Entries: [entry] },
    });
    // A rejected entry comes with status 200.
    const { FailedEntryCount, Entries } = answerSchema.parse(answer);
    if (FailedEntryCount > 0) throw new BusRefusedError(busName, Entries[0]?.ErrorCode ?? "no code");
  };
}

const answerSchema = z.object({
  FailedEntryCount: z.number(),
  Entries: z.array(z.object({ ErrorCode: maybeText() })),
});
