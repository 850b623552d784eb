import type { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { standingOf } from "./judge-status.ts";
import { readHappenings, type StackHappening } from "./stack-events.ts";
import { readStackState, type StackState } from "./stack-state.ts";

/** What watching needs of the world. */
export interface Watching {
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
  /** How often it looks, in milliseconds. */
  readonly everyMs: number;
  /** Gets each resource that something happened to, oldest first. */
  readonly onHappening: (happening: StackHappening) => void;
}

/**
 * Waits until nothing goes on with a stack any more, and tells what happens meanwhile. Gives undefined for one that is gone.
 * Looks only: it may be ended and begun again at any time. @throws what the client throws
 */
export async function watchStack(
  client: CloudFormationClient,
  stackId: string,
  sinceMs: number,
  { sleep, signal, everyMs, onHappening }: Watching,
): Promise<StackState | undefined> {
  const told = new Set<string>();
  for (;;) {
    // The state is read first: what happened before it is then among what is read next.
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

/** The first things that went wrong: what came after them, CloudFormation cancelled because of them. */
export function failuresOf(happenings: readonly StackHappening[]): readonly StackHappening[] {
  return happenings
    .filter(
      ({ status, reason = "" }) =>
        status.endsWith("_FAILED") && !/cancelled|^The following resource/i.test(reason),
    )
    .toSorted((one, other) => one.atMs - other.atMs);
}
