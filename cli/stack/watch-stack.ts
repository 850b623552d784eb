import type { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { standingOf } from "./judge-status.ts";
import { readHappenings, type StackHappening } from "./stack-events.ts";
import { readStackState, type StackState } from "./stack-state.ts";

export interface Watching {
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  readonly everyMs: number;
  /** Oldest first. */
  readonly onHappening: (happening: StackHappening) => void;
}

/**
 * Waits until nothing is in progress; undefined if the stack is gone. Only reads: may be stopped and started
 * at any time.
 * @throws the client's errors
 */
export async function watchStack(
  client: CloudFormationClient,
  stackId: string,
  sinceMs: number,
  { sleep, signal, everyMs, onHappening }: Watching,
): Promise<StackState | undefined> {
  const told = new Set<string>();
  for (;;) {
    // First, so that the next read includes all earlier events.
    const state = await readStackState(client, stackId);
    if (state === undefined) return undefined;
    for (const happening of [...(await readHappenings(client, stackId, sinceMs))].reverse()) {
      if (told.has(happening.id)) continue;
      told.add(happening.id);
      onHappening(happening);
    }
    if (state.status === "DELETE_COMPLETE") return undefined;
    if (standingOf(state.status) !== "busy") return state;
    signal.throwIfAborted();
    await sleep(everyMs, signal);
  }
}

/** Without those that CloudFormation cancelled because of them. */
export function failuresOf(happenings: readonly StackHappening[]): readonly StackHappening[] {
  return happenings
    .filter(
      ({ status, reason = "" }) =>
        status.endsWith("_FAILED") && !/cancelled|^The following resource/i.test(reason),
    )
    .toSorted((one, other) => one.atMs - other.atMs);
}
