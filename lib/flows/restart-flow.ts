import * as z from "zod/mini";
import type { FlowRequest, FlowStarter } from "../effects/flow-request.ts";
import { toFlowText } from "./flow.ts";
import type { FlowRestarts, HeardEvent } from "./flow-restarts.ts";
import { hasFailed } from "./list-executions.ts";
import {
  type Execution,
  type Executions,
  type ListedFlow,
  requestOf,
  type ShownStep,
} from "./read-executions.ts";

export interface RestartServices {
  readonly restarts: FlowRestarts;
  readonly starter: FlowStarter;
  readonly now: () => number;
  readonly effectDays: number;
}

export type Restarted =
  | { readonly kind: "started" | "earlier"; readonly newId: string }
  | { readonly kind: "unknown" | "not-failed" | "too-old" | "unreadable" };

const dayMs = 24 * 60 * 60_000;
/** A busy app keeps 180,000 events in this time. */
const lookBackMs = 60 * 60_000;

/**
 * Starts a failed flow's request as a new execution, which finds the effects and events of the failed one.
 * Repeatable. @throws AwsCallError
 */
export async function restart(
  id: string,
  executions: Executions,
  clean: (found: Execution) => Promise<unknown>,
  services: RestartServices,
): Promise<Restarted> {
  const { restarts, starter, now } = services;
  const found = await executions.open(id);
  if (found === undefined) return { kind: "unknown" };
  if (!hasFailed(found.Status)) return { kind: "not-failed" };
  const request = requestOf(found);
  if (request === undefined) return { kind: "unreadable" };
  const earlier = (await restarts.startedFor([id])).get(id);
  // Lambda may have dropped it.
  if (earlier !== undefined && (await executions.open(earlier)) !== undefined)
    return { kind: "earlier", newId: earlier };
  if (isTooOld(found.StartTimestamp, services)) return { kind: "too-old" };
  if (earlier === undefined) await clean(found);
  const of = request.restart?.of ?? id;
  await restarts.keep(of, request.appId, heardIn(await executions.stepsOf(found.DurableExecutionArn)));
  const from = Math.max(Number(found.EndTimestamp ?? 0), now() - lookBackMs);
  const { id: newId } = await starter.start(toRestartRequest(request, id, { of, from }), `restart ${id}`);
  await restarts.noteStart(id, newId);
  return { kind: "started", newId };
}

export interface RestartPlan {
  readonly ready: readonly ListedFlow[];
  readonly earlier: number;
  readonly tooOld: number;
}

export async function planRestart(
  flows: readonly ListedFlow[],
  services: RestartServices,
): Promise<RestartPlan> {
  const started = await services.restarts.startedFor(flows.map(({ id }) => id));
  const left = flows.filter(({ id }) => !started.has(id));
  const ready = left.filter(({ startedAt }) => !isTooOld(startedAt, services));
  return { ready, earlier: started.size, tooOld: left.length - ready.length };
}

/** A day is left to reach the effects. */
function isTooOld(startedAt: Date, { now, effectDays }: RestartServices) {
  return now() - startedAt.getTime() > (effectDays - 1) * dayMs;
}

/** Looks back from the first start, not from effects. */
function toRestartRequest(request: FlowRequest, id: string, restart: FlowRequest["restart"]): FlowRequest {
  const { identity = id, heardAt = request.since } = request;
  return { ...request, identity, heardAt, restart };
}

function heardIn(steps: readonly ShownStep[]): readonly HeardEvent[] {
  return steps.flatMap(({ name, value }) => {
    const outcome = name.startsWith(outcomeStep) ? outcomeSchema.safeParse(value).data : undefined;
    if (outcome === undefined) return [];
    const { key, receivedAt, event } = outcome;
    return [{ key, receivedAt, text: toFlowText(event), trigger: event.trigger }];
  });
}

/** As wait-for-event.ts names it. */
const outcomeStep = "outcome of ";
const outcomeSchema = z.object({
  key: z.string(),
  receivedAt: z.number(),
  event: z.looseObject({ trigger: z.string() }),
});
