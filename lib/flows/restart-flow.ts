import { mapConcurrently } from "../base/batching.ts";
import type { FlowStarter } from "../effects/flow-request.ts";
import type { FlowRestarts } from "./flow-restarts.ts";
import { flowsAtOnce, hasFailed } from "./list-executions.ts";
import { type Execution, type Executions, type ListedFlow, requestOf } from "./read-executions.ts";

export interface RestartServices {
  readonly restarts: FlowRestarts;
  readonly starter: FlowStarter;
  readonly now: () => number;
}

export type Restarted =
  | { readonly kind: "started" | "earlier"; readonly newId: string }
  | { readonly kind: "unknown" | "not-failed" | "too-old" | "unreadable" | "waits" };

const dayMs = 24 * 60 * 60_000;

/**
 * Starts a failed flow's request as a new execution, which finds the effects of the failed one. Refuses flows
 * that wait for events: an event that they had missed could now lead to other effects. Repeatable.
 * @throws AwsCallError
 */
export async function restart(
  id: string,
  executions: Executions,
  clean: (found: Execution) => Promise<unknown>,
  { restarts, starter, now }: RestartServices,
  effectDays: number,
): Promise<Restarted> {
  const found = await executions.open(id);
  if (found === undefined) return { kind: "unknown" };
  if (!hasFailed(found.Status)) return { kind: "not-failed" };
  const request = requestOf(found);
  if (request === undefined) return { kind: "unreadable" };
  if (request.waitsFor.length > 0) return { kind: "waits" };
  const earlier = (await restarts.startedFor([id])).get(id);
  // Lambda may have dropped it.
  if (earlier !== undefined && (await executions.open(earlier)) !== undefined)
    return { kind: "earlier", newId: earlier };
  const { of = id, since = Number(found.StartTimestamp) } = request.restart ?? {};
  if (isTooOld(since, now(), effectDays)) return { kind: "too-old" };
  if (earlier === undefined) await clean(found);
  const { id: newId } = await starter.start(
    { ...request, identity: request.identity ?? id, restart: { of, since } },
    `restart ${id}`,
  );
  await restarts.noteStart(id, newId);
  return { kind: "started", newId };
}

export interface RestartPlan {
  readonly ready: readonly ListedFlow[];
  readonly earlier: number;
  readonly tooOld: number;
}

export function planRestart(flows: readonly ListedFlow[], nowMs: number, effectDays: number): RestartPlan {
  const left = flows.filter(({ restartedAs }) => restartedAs === undefined);
  const ready = left.filter(({ startedAt }) => !isTooOld(Number(startedAt), nowMs, effectDays));
  return { ready, earlier: flows.length - left.length, tooOld: left.length - ready.length };
}

/** Leaves out what Lambda has dropped. */
export async function findRestarts(
  ids: readonly string[],
  executions: Executions,
  restarts: FlowRestarts,
): Promise<ReadonlyMap<string, string>> {
  const noted = [...(await restarts.startedFor(ids))];
  const exists = async ([, newId]: (typeof noted)[number]) => (await executions.open(newId)) !== undefined;
  const found = await mapConcurrently(noted, flowsAtOnce, exists);
  return new Map(noted.filter((_, index) => found[index]));
}

/** A day is left to reach the effects. */
function isTooOld(startedMs: number, nowMs: number, effectDays: number) {
  return nowMs - startedMs > (effectDays - 1) * dayMs;
}
