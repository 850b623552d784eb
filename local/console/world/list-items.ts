import type { Item } from "../../cloud/table/attribute-value.ts";
import type { ShownItem } from "../api/world-state.ts";
import type { EffectName } from "./effect-names.ts";
import { describedTables } from "./item-words.ts";
import { readOwnItem } from "./own-item.ts";

export function listItems(
  items: readonly Item[],
  wanted: {
    readonly logicalId: string;
    readonly search: string;
    readonly appId: string | undefined;
    readonly nowMs: number;
    readonly names: ReadonlyMap<string, EffectName>;
    readonly nameOf: (item: Item) => string;
  },
): readonly ShownItem[] {
  const { logicalId, appId, nowMs, names, nameOf } = wanted;
  const search = wanted.search.toLowerCase();
  return items
    .map((item): ShownItem => {
      const facts = readOwnItem(item);
      const { expiration } = facts;
      return {
        ...{ key: nameOf(item), title: "", status: "", tone: "plain", app: undefined, about: "" },
        ...{ atMs: undefined, value: undefined },
        ...describedTables[logicalId]?.describe(facts, names, nowMs),
        expiresAtMs: typeof expiration === "number" ? expiration * 1000 : undefined,
        facts,
      };
    })
    .filter(({ app: owner, title, about, status }) => {
      if (appId !== undefined && owner !== undefined && owner !== appId) return false;
      return search === "" || `${title} ${about} ${status} ${owner ?? ""}`.toLowerCase().includes(search);
    })
    .toSorted((one, other) => (other.atMs ?? 0) - (one.atMs ?? 0) || (one.key < other.key ? -1 : 1));
}
