import type { Log, LogFields } from "../base/log.ts";
import type { AppEvent } from "../events/app-event.ts";
import type { Attempt } from "../queue/lanes/attempt.ts";
import type { MessageFacts } from "../queue/message-facts.ts";
import { handles, type TriggerTable } from "./on-trigger.ts";

/** Gives what names the event of an attempt in each of its lines; `triggerLane` where it is in the lane of one trigger. */
export function nameAttempt(attempt: Attempt, facts: MessageFacts | undefined): LogFields {
  const { appId, trigger, deliveryKey } = facts ?? {};
  const { messageId } = attempt.record;
  const triggerLane = attempt.ticket.lane.trigger;
  return {
    ...{ appId, trigger, deliveryKey, queueMessageId: messageId, attempt: attemptNumber(attempt) },
    ...(triggerLane !== undefined && { triggerLane }),
  };
}

/** Tells how often the event was begun, this time included. */
export function attemptNumber({ progress }: Pick<Attempt, "progress">): number {
  return 1 + progress.waits + progress.deaths;
}

/** Tells whoever wonders why nothing happens which triggers would handle an event, were they turned on. */
export function tellTriggersThatAreOff(
  event: AppEvent,
  off: TriggerTable = {},
  log: Log,
  names: LogFields,
): void {
  for (const [name, trigger] of Object.entries(off)) {
    if (!handles(trigger, event)) continue;
    const step = `${event.trigger} ${name}`;
    log.debug("a trigger that handles such events is not turned on", {
      ...names,
      trigger: event.trigger,
      step,
    });
  }
}
