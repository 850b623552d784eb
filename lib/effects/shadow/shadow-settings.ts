import type { Item, Table } from "../../aws/table.ts";
import { OwnError } from "../../base/errors.ts";

export type ShadowKind = "trigger" | "flow";

export interface ShadowSettings {
  /** Keys have kind and name, such as `trigger auto-reply`. True: in shadow. */
  readonly set: ReadonlyMap<string, boolean>;
}

export const shadowItem = "in-shadow";

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

export function shadowSetFor({ set }: ShadowSettings, kind: ShadowKind, name: string): boolean | undefined {
  return set.get(shadowAttribute(kind, name));
}

export function namesSetFor({ set }: ShadowSettings, kind: ShadowKind): readonly string[] {
  const start = shadowAttribute(kind, "");
  return [...set.keys()].filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
}

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
 * Stores which triggers and flows are in shadow. Changes apply from the next batch of events. Repeatable.
 * @throws AwsCallError
 */
export function createShadowStore(lanes: Table) {
  const keyOf = (appId: string): Item => ({ lane: `app ${appId}`, item: shadowItem });
  return {
    read: async (appId: string) => readShadowItem(appId, await lanes.get(keyOf(appId))),
    /** @param isShadowed undefined for the deployed value */
    set: async (appId: string, kind: ShadowKind, name: string, isShadowed: boolean | undefined) => {
      const attribute = shadowAttribute(kind, name);
      const isUnset = isShadowed === undefined;
      await lanes.update(
        keyOf(appId),
        isUnset ? { remove: [attribute] } : { set: { [attribute]: isShadowed } },
      );
    },
  };
}
