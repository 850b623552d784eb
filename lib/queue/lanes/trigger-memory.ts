import { errorFields } from "../../base/error-fields.ts";
import type { LaneServices } from "./attempt.ts";
import type { Lane } from "./lane-record.ts";
import { maxTries, type Progress } from "./progress.ts";

/** Events like the dead-lettered one must not delay a trigger's other events by minutes each. */
export interface TriggerMemory {
  /** Of a step: two, 5 s apart, within an hour after a dead-lettering. */
  readonly maxTries: () => number;
  /** An event was dead-lettered after its tries. */
  noteGivenUp(): Promise<void>;
  /** If an earlier try failed, retrying helps: deletes the memory. */
  noteDone(before: Progress): Promise<void>;
}

const triesInTrouble = 2;

/** Undefined for lanes that are no trigger's. Both notes never throw: the memory is not guaranteed. */
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
