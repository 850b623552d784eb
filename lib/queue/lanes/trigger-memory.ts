import { errorFields } from "../../base/error-fields.ts";
import type { Lane } from "./lane-record.ts";
import type { LaneServices } from "./lane-services.ts";
import { maxTries, type Progress } from "./progress.ts";

/**
 * What is remembered of a trigger that failed in a conversation, so that events like the one that was dead-lettered do not hold
 * up the trigger's other events for minutes each.
 */
export interface TriggerMemory {
  /** Tries of a step: two, 5 s apart, within an hour after an event of the lane was dead-lettered by tries. */
  readonly maxTries: () => number;
  /** Says that an event was dead-lettered by tries. */
  noteGivenUp(): Promise<void>;
  /** Says that an event is done: if an earlier try of it failed, trying again helps, and what is remembered is forgotten. */
  noteDone(before: Progress): Promise<void>;
}

const triesInTrouble = 2;

/** Reads it for a trigger's own lane; undefined for any other. Both notes never throw: the memory is no promise. */
export async function readTriggerMemory(
  { id, trigger }: Lane,
  { store, log }: Pick<LaneServices, "store" | "log">,
): Promise<TriggerMemory | undefined> {
  if (trigger === undefined) return undefined;
  let trouble = (await store.look([], [id])).troubles.get(id);
  const write = (writing: Promise<void>) =>
    writing.catch((error: unknown) => {
      log.warn("could not write down that a trigger fails; it has more tries than it needs", {
        ...errorFields(error),
      });
    });

  return {
    maxTries: () => (trouble?.gaveUp === true ? triesInTrouble : maxTries),
    noteGivenUp: async () => {
      trouble = { hung: trouble?.hung === true, gaveUp: true };
      await write(store.noteTrouble(id, trouble));
    },
    noteDone: async ({ tries }) => {
      if (trouble === undefined || Object.keys(tries).length === 0) return;
      trouble = undefined;
      await write(store.forgetTrouble(id));
    },
  };
}
