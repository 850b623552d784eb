import type { Item, Table } from "../../aws/table.ts";
import { OwnError } from "../../base/own-error.ts";

/** What can be in shadow: it decides, logs and counts what it would do, without doing it. */
export type ShadowKind = "trigger" | "flow";

/** An app's settings at run time; without one, the deployed value applies. */
export interface ShadowSettings {
  /** By kind and name, such as `trigger auto-reply`; true for shadow, false for acting. */
  readonly set: ReadonlyMap<string, boolean>;
}

/**
 * The item of an app's partition on the lanes table, beside the app's health, so that one request reads both.
 */
export const shadowItem = "in-shadow";

/** Thrown if a setting cannot be read, so that it is unknown whether the target may act. */
export class ShadowSettingError extends OwnError {
  override readonly name = "ShadowSettingError";

  constructor(appId: string, attribute: string) {
    super(
      `What is set to be in shadow for app ${appId} cannot be read: the attribute "${attribute}" must be called ` +
        '"trigger <name>" or "flow <name>", and be true or false (BOOL). Its events wait until it is corrected.',
    );
  }
}

export function shadowAttribute(kind: ShadowKind, name: string): string {
  return `${kind} ${name}`;
}

/** Returns the setting of a trigger or flow; undefined if it does not exist. */
export function shadowSetFor({ set }: ShadowSettings, kind: ShadowKind, name: string): boolean | undefined {
  return set.get(shadowAttribute(kind, name));
}

export function namesSetFor({ set }: ShadowSettings, kind: ShadowKind): readonly string[] {
  const start = shadowAttribute(kind, "");
  return [...set.keys()].filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
}

/** Reads the item of an app; no item means no settings. @throws ShadowSettingError */
export function readShadowItem(appId: string, found: Item | undefined): ShadowSettings {
  const { lane: _lane, item: _item, ...attributes } = found ?? {};
  const set = new Map<string, boolean>();
  for (const [attribute, value] of Object.entries(attributes)) {
    if (!/^(trigger|flow) ./.test(attribute) || typeof value !== "boolean") {
      throw new ShadowSettingError(appId, attribute);
    }
    set.set(attribute, value);
  }
  return { set };
}

/**
 * The shadow settings by app; changes apply from the next batch of events. All methods may be repeated.
 * @throws AwsCallError
 */
export interface ShadowStore {
  /** Reads all confirmed writes. @throws ShadowSettingError */
  read(appId: string): Promise<ShadowSettings>;
  /**
   * Puts a trigger or flow of an app in shadow (true), lets it act (false), or restores the deployed value
   * (undefined). The name is not checked: an unknown name has no effect.
   */
  set(appId: string, kind: ShadowKind, name: string, isShadowed: boolean | undefined): Promise<void>;
}

/** Stores the settings on the lanes table, whose key is `lane` and `item`. */
export function createShadowStore(lanes: Table): ShadowStore {
  const keyOf = (appId: string): Item => ({ lane: `app ${appId}`, item: shadowItem });
  return {
    read: async (appId) => readShadowItem(appId, await lanes.get(keyOf(appId))),
    set: async (appId, kind, name, isShadowed) => {
      const attribute = shadowAttribute(kind, name);
      const isUnset = isShadowed === undefined;
      await lanes.update(
        keyOf(appId),
        isUnset ? { remove: [attribute] } : { set: { [attribute]: isShadowed } },
      );
    },
  };
}
