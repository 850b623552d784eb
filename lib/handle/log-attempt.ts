import type { LogFields } from "../base/log.ts";
import { outcomeFields } from "../effects/outcomes.ts";
import type { AppEvent } from "../events/app-event.ts";
import type { Attempt } from "../queue/lanes/attempt.ts";
import type { MessageFacts } from "../queue/message-facts.ts";
import { type AttemptRun, noteOutcome } from "./attempt-run.ts";
import { handles } from "./on-trigger.ts";

export function nameAttempt(attempt: Attempt, facts: MessageFacts | undefined): LogFields {
  const { appId, trigger, deliveryKey } = facts ?? {};
  const { messageId } = attempt.record;
  const triggerLane = attempt.ticket.lane.trigger;
  return {
    ...{ appId, trigger, deliveryKey, queueMessageId: messageId, attempt: attemptNumber(attempt) },
    ...(triggerLane !== undefined && { triggerLane }),
  };
}

export function attemptNumber({ progress }: Attempt): number {
  return 1 + progress.waits + progress.deaths;
}

export function logDisabledTriggers(event: AppEvent, run: AttemptRun): void {
  const { services, names } = run;
  for (const [name, trigger] of Object.entries(services.off ?? {})) {
    if (!handles(trigger, event)) continue;
    const step = `${event.trigger} ${name}`;
    services.log.debug("a trigger that handles such events is not turned on", {
      ...names,
      trigger: event.trigger,
      step,
      ...noteOutcome(run, step, outcomeFields("off")),
    });
  }
}
