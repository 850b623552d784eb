import type { Item, Table } from "../../aws/table.ts";
import {
  readShadowItem,
  type ShadowKind,
  type ShadowSettings,
  shadowAttribute,
  shadowItem,
} from "./shadow-settings.ts";

/** What is in shadow, app by app; it counts from the next batch of events on. All throw AwsCallError; all may be repeated. */
export interface ShadowStore {
  /** As it is after all writes that were answered. @throws ShadowSettingError */
  read(appId: string): Promise<ShadowSettings>;
  /**
   * Puts a trigger or flow of an app in shadow (true), lets it act (false), or leaves it as it was deployed (undefined).
   * Nobody checks the name: a trigger that has another one goes on.
   */
  set(appId: string, kind: ShadowKind, name: string, isShadowed: boolean | undefined): Promise<void>;
}

/** Keeps it on the lanes table, whose key is `lane` and `item`. */
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
