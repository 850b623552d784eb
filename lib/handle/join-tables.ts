import { OwnError } from "../base/own-error.ts";
import type { TriggerTable } from "./on-trigger.ts";

/** Thrown at start if a custom trigger has a shipped one's name. */
export class TriggerNameTakenError extends OwnError {
  override readonly name = "TriggerNameTakenError";

  constructor(trigger: string) {
    super(
      `functions/own/triggers.ts names a trigger "${trigger}", and a shipped one has that name (functions/triggers/index.ts). ` +
        "Give it another name: what was done is remembered by it.",
    );
  }
}

export function joinTables(own: TriggerTable, shipped: TriggerTable): TriggerTable {
  const taken = Object.keys(own).find((name) => Object.hasOwn(shipped, name));
  if (taken !== undefined) throw new TriggerNameTakenError(taken);
  return { ...own, ...shipped };
}
