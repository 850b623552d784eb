import { errorFields } from "../base/describe-error.ts";
import { causesOf } from "../base/errors.ts";
import { placeOf } from "../base/fault-place.ts";
import type { LogFields } from "../base/log.ts";
import type { AttemptLimits } from "../effects/attempt-limits.ts";
import { classifyFailure } from "../effects/classify-failure.ts";
import { EventEndedError, EventTimeUpError } from "../effects/effect-errors.ts";
import { type OutcomeFields, outcomeFields, type TriggerOutcome } from "../effects/outcomes.ts";
import type { AppEvent } from "../events/app-event.ts";
import type { OccurrenceMemory } from "../events/occurrence.ts";
import { type FlowWaker, flowsStep } from "../flows/wake-flows.ts";
import { laneNameOf } from "../queue/lanes/lane-record.ts";
import { type Attempt, eventLimitMs } from "../queue/lanes/lane-services.ts";
import { triggerOfStep } from "../queue/lanes/progress.ts";
import type { TriggerLanes } from "../queue/lanes/trigger-lanes.ts";
import type { MessageFacts } from "../queue/read-queued-event.ts";
import type { SendDeadLetter } from "../queue/send-dead-letter.ts";
import type { RecordIfCanary } from "./canary/canary.ts";
import type { HangMemory } from "./hang-memory.ts";
import { handles, type TriggerTable } from "./on-trigger.ts";
import type { ReadingServices } from "./read-events.ts";
import type { StepProgress } from "./step-progress.ts";
import type { ContextServices } from "./trigger-context.ts";

export interface AttemptServices extends ContextServices, ReadingServices {
  readonly triggers: TriggerTable;
  readonly shadowed: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
  readonly off: TriggerTable;
  readonly occurrences: OccurrenceMemory;
  readonly triggerLanes: TriggerLanes;
  readonly hangs: HangMemory;
  readonly sendDeadLetter: SendDeadLetter;
  readonly waker: FlowWaker;
  readonly recordIfCanary: RecordIfCanary;
  readonly random: () => number;
  readonly maxWaitMs: number;
  /** True if events received more than 30 days ago are handled, too. */
  readonly actsOnOldEvents: boolean;
}

export interface AttemptRun {
  readonly attempt: Attempt;
  /** Undefined for a message of another system. */
  readonly facts: MessageFacts | undefined;
  /** Fields of each log line. */
  readonly names: LogFields;
  readonly services: AttemptServices;
  readonly steps: StepProgress;
  readonly limits: AttemptLimits;
  readonly isOnlyThisEvent: (error: unknown) => Promise<boolean>;
  isQuarantined?: boolean;
  events: readonly AppEvent[];
  /** The trigger of each step that this attempt is responsible for, without those in shadow. */
  readonly ownSteps: Map<string, string>;
  /** Steps that were ended early, because their trigger hung lately; true if only in other processes. */
  readonly cut: Map<string, boolean>;
  step?: string;
  /** The trigger that runs, if it is in shadow. */
  inShadow?: string | undefined;
  readonly ran: string[];
  readonly effects: string[];
  /** Ids of flows. */
  readonly woke: string[];
  /** By step. */
  readonly outcomes: Map<string, TriggerOutcome>;
}

export function stepOf(event: AppEvent, triggerName: string): string {
  return `${event.trigger} ${triggerName}`;
}

export function stepsOfTrigger(
  triggerName: string,
  {
    events,
    services: { triggers },
    steps,
  }: Pick<AttemptRun, "events" | "steps"> & { readonly services: Pick<AttemptServices, "triggers"> },
): { readonly own: readonly string[]; readonly finished: readonly string[] } {
  const others = [...Object.keys(triggers), flowsStep].filter((name) => name !== triggerName);
  const own = events.map((event) => stepOf(event, triggerName));
  const ofOthers = events.flatMap((event) => others.map((name) => stepOf(event, name)));
  return { own, finished: [...ofOthers, ...own.filter((step) => !steps.needsToRun(step))] };
}

export function isInItsLane({ attempt: { ticket } }: AttemptRun, triggerName: string): boolean {
  const { trigger } = ticket.lane;
  return trigger === undefined || trigger === triggerName;
}

/** The process died twice at this event, the last time in this step. */
export function hasCrashed(
  step: string,
  { attempt: { progress, ticket } }: Pick<AttemptRun, "attempt">,
): boolean {
  return progress.crashed === step && ticket.lane.trigger === undefined;
}

export function failStep(
  run: AttemptRun,
  step: string,
  trigger: string | undefined,
  error: unknown,
  isOnlyThisEvent = false,
): void {
  const { attempt, facts, names, services, steps, limits } = run;
  if (limits.hasEnded()) return;
  const isOver = causesOf(error).some((cause) => cause instanceof EventEndedError);
  const failure = classifyFailure(isOver ? timeUp(run) : error);
  const { isFinal, tries, cause } = steps.fail(step, failure, isOnlyThisEvent);
  const { kind } = failure;
  const hasFailed = kind === "ours" || kind === "permanent";
  const stack = hasFailed ? placeOf(error) : undefined;
  const said = kind === "permanent" ? "for good" : `try ${tries} of ${attempt.maxTries}`;
  const fields = {
    ...noteOutcome(
      run,
      step,
      hasFailed
        ? outcomeFields("failed", { cause, place: placeIn(stack), tries: said })
        : outcomeFields("waiting", { cause }),
    ),
    ...names,
    ...(trigger !== undefined && { trigger }),
    lane: laneNameOf(attempt.ticket.lane.id),
    laneId: attempt.ticket.lane.id,
    receivedAt: facts?.receivedAt,
    step,
    failure: kind,
    tries,
    cause,
    stack,
  };
  if (isFinal) services.log.error("could not handle an event, for good", fields);
  else services.log.warn("could not handle an event yet", fields);
}

/** A request that is not answered is its host's fault; another try at the same event shows nothing new. */
export async function noteHung(trigger: string | undefined, run: AttemptRun): Promise<void> {
  const { attempt, services, limits, step = "" } = run;
  const isFirst = limits.waitsFor.size === 0 && !Object.hasOwn(attempt.progress.tries, step);
  if (trigger === undefined || !isFirst) return;
  services.hangs.noteHung(attempt.ticket.appId, trigger);
  await attempt.health.noteTriggerHung(trigger, limits.lane);
}

/** Finishes the step: what happens in shadow must not keep an event. */
export function failInShadow(
  run: AttemptRun,
  step: string,
  trigger: string | undefined,
  error: unknown,
): void {
  const { names, services, steps, limits } = run;
  if (limits.hasEnded()) return;
  steps.finish(step);
  const fields = errorFields(error);
  services.log.warn("a trigger failed in shadow", {
    ...names,
    trigger,
    step,
    ...fields,
    ...noteOutcome(run, step, outcomeFields("failed", { ...fields, place: placeIn(fields.stack) })),
  });
  services.count("TriggerFailedInShadow", { appId: names.appId ?? "", trigger: triggerOfStep(step) });
}

/** Returns the first frame of the team's own code, else the first. */
export function placeIn(stack = ""): string | undefined {
  const frames = stack.split("\n");
  return (frames.find((frame) => frame.startsWith("functions/")) ?? frames[0])?.replace(/^.* /, "");
}

export function noteOutcome(
  { outcomes }: Pick<AttemptRun, "outcomes">,
  step: string,
  outcome: OutcomeFields,
): OutcomeFields {
  const name = triggerOfStep(step);
  outcomes.set(step, { trigger: name === flowsStep ? "" : name, ...outcome });
  return outcome;
}

export function timeUp({ limits: { waitsFor } }: AttemptRun): EventTimeUpError {
  const [waitedFor] = waitsFor.keys();
  return new EventTimeUpError(eventLimitMs, waitedFor);
}

export function nameAttempt(attempt: Attempt, facts: MessageFacts | undefined): LogFields {
  const { appId, trigger, deliveryKey } = facts ?? {};
  const { messageId } = attempt.record;
  return {
    appId,
    trigger,
    deliveryKey,
    queueMessageId: messageId,
    attempt: attemptNumber(attempt),
    triggerLane: attempt.ticket.lane.trigger,
  };
}

export function attemptNumber({ progress }: Attempt): number {
  return 1 + progress.waits + progress.deaths;
}

export function logDisabledTriggers(event: AppEvent, run: AttemptRun): void {
  const { services, names } = run;
  for (const [name, trigger] of Object.entries(services.off)) {
    if (!handles(trigger, event)) continue;
    const step = stepOf(event, name);
    services.log.debug("a trigger that handles such events is not turned on", {
      ...names,
      trigger: event.trigger,
      step,
      ...noteOutcome(run, step, outcomeFields("off")),
    });
  }
}
