import { outcomes } from "../../../lib/effects/outcomes.ts";
import { type Lane, laneOf } from "../../../lib/queue/lanes/lane-record.ts";
import { createLaneStore, type ParkedLane } from "../../../lib/queue/lanes/lane-store.ts";
import type { ConsoleOperator } from "../operate.ts";
import type { KeptAttempt, KeptMessage, KeptRun } from "./journey.ts";
import { lastRuns } from "./judge-journey.ts";
import { handlerOf } from "./note-attempt-line.ts";

export interface HoldingLane {
  readonly lane: Lane;
  /** Undefined for the conversation's own lane. */
  readonly trigger: string | undefined;
  readonly parked: ParkedLane;
  /** Counts from 0. */
  readonly place: number;
  /** At most `mostLooked` are counted. */
  readonly length: number;
}

const mostLooked = 200;

/**
 * The conversation's, and those of triggers that wait or failed (lib/queue/lanes/side-lane.ts). Read-only.
 * @throws AwsCallError
 */
export async function findLanes(
  { id, queue, groupId, attempts }: KeptMessage,
  { tableOf, services }: ConsoleOperator,
): Promise<readonly HoldingLane[]> {
  if (groupId === undefined) return [];
  const triggers = [...(mayWait(attempts) ? [undefined] : []), ...waitingTriggers(attempts)];
  if (triggers.length === 0) return [];
  const source = queue === "calls" ? "calls" : "events";
  const store = createLaneStore(tableOf("LanesTable", "item"), services.now);
  const lanes = triggers.map((trigger) => ({ trigger, lane: laneOf(source, groupId, trigger) }));
  const known = await store.find(lanes.map(({ lane }) => lane.id));
  const found = await Promise.all(
    lanes.map(async ({ lane, trigger }): Promise<readonly HoldingLane[]> => {
      const parked = known.get(lane.id);
      if (parked === undefined) return [];
      const records = await store.first(lane.id, mostLooked);
      const place = records.findIndex(({ messageId }) => messageId === id);
      return place < 0 ? [] : [{ lane, trigger, parked, place, length: records.length }];
    }),
  );
  return found.flat();
}

/** A completely handled message waits no longer. */
function mayWait(attempts: readonly KeptAttempt[]): boolean {
  const last = attempts.at(-1);
  return last !== undefined && isWaiting(last);
}

function isWaiting({ outcome }: KeptAttempt | KeptRun): boolean {
  return outcome !== "running" && outcome !== "handled" && outcomes[outcome].kind === "waiting";
}

function waitingTriggers(attempts: readonly KeptAttempt[]): readonly string[] {
  const waiting = [...lastRuns(attempts).values()].filter(
    (run) => isWaiting(run) || (run.outcome === "failed" && run.failure?.isFinal !== true),
  );
  return [...new Set(waiting.map(handlerOf))];
}
