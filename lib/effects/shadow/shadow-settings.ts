import type { Item } from "../../aws/table.ts";

/** What can be put in shadow: it decides, logs and counts what it would do, and does nothing. */
export type ShadowKind = "trigger" | "flow";

/** What is set for an app while it runs; what is not set is as it was deployed. */
export interface ShadowSettings {
  /** By kind and name, such as `trigger auto-reply`; true for what is in shadow, false for what acts. */
  readonly set: ReadonlyMap<string, boolean>;
}

/** The item of an app's partition on the lanes table; beside the app's health, so that one request reads both. */
export const shadowItem = "in-shadow";

/** Thrown for a setting that can be read in no way: then nobody knows whether something may act. */
export class ShadowSettingError extends Error {
  override readonly name = "ShadowSettingError";

  constructor(appId: string, attribute: string) {
    super(
      `What is set to be in shadow for app ${appId} cannot be read: the attribute "${attribute}" must be called ` +
        '"trigger <name>" or "flow <name>", and be true or false (BOOL). Its events wait until it is put right.',
    );
  }
}

/** Names a trigger or flow among the settings. */
export function shadowAttribute(kind: ShadowKind, name: string): string {
  return `${kind} ${name}`;
}

/** Tells what is set for a trigger or flow; undefined where nothing is. */
export function shadowSetFor({ set }: ShadowSettings, kind: ShadowKind, name: string): boolean | undefined {
  return set.get(shadowAttribute(kind, name));
}

/** Lists the triggers or flows for which something is set. */
export function namesSetFor({ set }: ShadowSettings, kind: ShadowKind): readonly string[] {
  const start = shadowAttribute(kind, "");
  return [...set.keys()].filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
}

/** Reads the item of an app; none means that nothing is set. @throws ShadowSettingError */
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
