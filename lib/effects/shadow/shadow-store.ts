import type { Item, Table } from "../../aws/table.ts";
import {
  readShadowItem,
  type ShadowKind,
  type ShadowSettings,
  shadowAttribute,
  shadowItem,
} from "./shadow-settings.ts";

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
