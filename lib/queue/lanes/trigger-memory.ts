import { errorFields } from "../../base/error-fields.ts";
import type { LaneServices } from "./attempt.ts";
import type { Lane } from "./lane-record.ts";
import { maxTries, type Progress } from "./progress.ts";

/**
 * Remembers that a trigger failed in a conversation, so that events like the dead-lettered one do not delay
 * the trigger's other events by minutes each.
 */
export interface TriggerMemory {
  /**
   * Tries of a step: two, 5 s apart, within an hour after an event of the lane was dead-lettered after its
   * tries.
   */
  readonly maxTries: () => number;
  /** Records that an event was dead-lettered after its tries. */
  noteGivenUp(): Promise<void>;
  /**
   * Records that an event is done. If an earlier try of it failed, retrying helps, so the memory is deleted.
   */
  noteDone(before: Progress): Promise<void>;
}

const triesInTrouble = 2;

/**
 * Reads the memory of a trigger's own lane; undefined for other lanes. Both notes never throw: the memory is
 * not guaranteed.
 */
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
