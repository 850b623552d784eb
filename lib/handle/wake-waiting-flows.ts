import { withTimeout } from "../base/timers.ts";
import { classifyFailure } from "../effects/classify-failure.ts";
import { outcomeFields } from "../effects/outcomes.ts";
import type { AppEvent } from "../events/app-event.ts";
import { flowsStep, type WakeContext } from "../flows/wake-flows.ts";
import { noProgress } from "../queue/lanes/progress.ts";
import {
  type AttemptRun,
  failStep,
  isInItsLane,
  noteOutcome,
  stepOf,
  stepsOfTrigger,
} from "./attempt-run.ts";
import { appendIfWaiting } from "./move-to-trigger-lanes.ts";

/**
 * After the triggers: one may just have started a flow that waits for the next event. Unfinished waking
 * continues in a lane of its own.
 */
export async function wakeWaitingFlows(
  event: AppEvent,
  isAgain: boolean,
  context: Pick<WakeContext, "appId" | "occurrenceKey" | "receivedAt">,
  run: AttemptRun,
) {
  const { attempt, steps, services, limits } = run;
  const { now } = services;
  const step = stepOf(event, flowsStep);
  if (!isInItsLane(run, flowsStep)) return;
  if (!services.waker.isListed(event.trigger) || !steps.needsToRun(step)) return;
  if (steps.hasFailedBefore(step) !== isAgain) return;
  run.step = step;
  run.inShadow = undefined;
  const isInOwnLane = attempt.ticket.lane.trigger === flowsStep;
  const moveToOwnLane = async (cause: string) => {
    const { own, finished } = stepsOfTrigger(flowsStep, run);
    const moved = { finished, progress: noProgress, wakeAt: now(), room: undefined, hung: false };
    await services.triggerLanes.move(attempt, { name: flowsStep, ...moved });
    for (const one of own) steps.finish(one);
    services.log.warn("flows are woken beside the lane", { ...run.names, step, cause });
  };
  try {
    if (!isInOwnLane && (await appendIfWaiting(flowsStep, run)) !== undefined) return;
    const deadlineMs = isInOwnLane ? limits.deadlineMs : Math.min(limits.deadlineMs, now() + wakingMs);
    const order = attempt.record.sequence;
    const mayStartLate = () => attempt.health.mayHandleLate();
    const waking = services.waker.wake(event, { ...context, order, mayStartLate, deadlineMs }, (flowId) => {
      run.woke.push(flowId);
      services.log.info("woke a flow", {
        ...run.names,
        trigger: event.trigger,
        step,
        flowId,
        ...noteOutcome(run, step, outcomeFields("woke-flow", { flows: run.woke })),
      });
    });
    const wake = () => waking;
    const isDone = isInOwnLane
      ? await waking
      : await withTimeout(wake, wakingMs, () => false, services.sleep);
    if (isDone) steps.finish(step);
    else if (isInOwnLane) steps.fail(step, { kind: "later", retryAtMs: now(), cause: "More flows wait." });
    else await moveToOwnLane("It takes too long.");
  } catch (error) {
    if (isInOwnLane) return failStep(run, step, event.trigger, error);
    await moveToOwnLane(classifyFailure(error).cause).catch((second: unknown) =>
      failStep(run, step, event.trigger, second),
    );
  }
}

const wakingMs = 2_000;
