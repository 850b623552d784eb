import type { TriggerTable } from "./on-trigger.ts";

/** Thrown at start for a name that no trigger has. */
export class UnknownTriggerError extends Error {
  override readonly name = "UnknownTriggerError";

  constructor(name: string, known: readonly string[]) {
    super(
      `ENABLED_TRIGGERS names "${name}", and there is no trigger of that name, neither in functions/own/triggers.ts nor among the shipped ones. There are: ${known.join(", ")}. Check config/triggers.yml.`,
    );
  }
}

/**
 * Gives the triggers that configuration turned on, in the table's order: nothing talks to customers by itself.
 * @param names comma-separated
 * @throws UnknownTriggerError
 */
export function enabledTriggers(triggers: TriggerTable, names: string): TriggerTable {
  const enabled = new Set(
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  );
  for (const name of enabled) {
    if (!Object.hasOwn(triggers, name)) throw new UnknownTriggerError(name, Object.keys(triggers));
  }
  return Object.fromEntries(Object.entries(triggers).filter(([name]) => enabled.has(name)));
}
