import { OwnError } from "../base/errors.ts";
import type { TriggerTable } from "./on-trigger.ts";

export class UnknownTriggerError extends OwnError {
  override readonly name = "UnknownTriggerError";

  constructor(name: string, known: readonly string[]) {
    super(
      `ENABLED_TRIGGERS names "${name}", and there is no trigger of that name, neither in functions/own/triggers.ts nor among the shipped ones. There are: ${known.join(", ")}. Check config/triggers.yml.`,
    );
  }
}

/** Bundling checks no types: the first event would fail, and with it all others. */
export class InvalidTriggerError extends OwnError {
  override readonly name = "InvalidTriggerError";

  constructor(name: string) {
    super(
      `The trigger "${name}" of functions/own/triggers.ts is not what onTrigger returns. Check its types: npx tsc`,
    );
  }
}

export interface EnabledTriggers {
  readonly table: TriggerTable;
  readonly shadowed: ReadonlySet<string>;
  readonly off: TriggerTable;
}

/** A name listed twice is in shadow if one entry is. @throws UnknownTriggerError, InvalidTriggerError */
export function enabledTriggers(triggers: TriggerTable, text: string): EnabledTriggers {
  for (const [name, trigger] of Object.entries(triggers)) {
    if (!Array.isArray(trigger?.names) || typeof trigger.run !== "function")
      throw new InvalidTriggerError(name);
  }
  const enabled = readEnabledNames(text);
  const names = new Set(enabled.map(({ name }) => name));
  for (const name of names) {
    if (!Object.hasOwn(triggers, name)) throw new UnknownTriggerError(name, Object.keys(triggers));
  }
  const those = (isOn: boolean) =>
    Object.fromEntries(Object.entries(triggers).filter(([name]) => names.has(name) === isOn));
  return {
    table: those(true),
    off: those(false),
    shadowed: new Set(enabled.filter(({ isShadowed }) => isShadowed).map(({ name }) => name)),
  };
}

export interface EnabledName {
  readonly name: string;
  /** The default for apps without a setting of their own. */
  readonly isShadowed: boolean;
}

/**
 * A `(shadow)` without a name is an unknown name: what it is meant for would be live.
 * @param text comma-separated names, with `(shadow)` after those in shadow
 */
export function readEnabledNames(text: string): readonly EnabledName[] {
  return text.split(",").flatMap((part) => {
    const [, name = "", shadow] = /^\s*(.*?)\s*(\(shadow\))?\s*$/s.exec(part) ?? [];
    return name === "" && shadow === undefined
      ? []
      : [{ name: name || "(shadow)", isShadowed: shadow !== undefined }];
  });
}

/** A custom trigger has a shipped one's name. */
class TriggerNameTakenError extends OwnError {
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
