import { createHash } from "node:crypto";
import { applyUpdate } from "./apply-update.ts";
import { type Item, sizeOfItem } from "./attribute-value.ts";
import { meets } from "./evaluate.ts";
import type { Condition, UpdateAction } from "./expression.ts";
import { invalid, TableError } from "./table-error.ts";
import {
  attributesOf,
  checkItemKey,
  checkKey,
  compareRanges,
  hashOf,
  type KeySchema,
  keyOf,
} from "./table-keys.ts";

export interface TableSettings {
  readonly keys: KeySchema;
  readonly indexes?: Readonly<Record<string, KeySchema>> | undefined;
  /** The attribute with an item's time to live, in seconds since 1970; undefined when the table forgets nothing. */
  readonly expiryAttribute?: string | undefined;
}

export interface TableSurroundings {
  /** Milliseconds since 1970; the machine's clock when absent. */
  readonly now?: () => number;
  /** Is told of every change that must survive a restart. */
  readonly journal?: TableJournal;
  /** Items of an earlier run. */
  readonly stored?: readonly Item[];
}

export interface TableJournal {
  put(key: Item, item: Item): void;
  remove(key: Item): void;
}

export type Write =
  | { readonly kind: "put"; readonly item: Item; readonly condition?: Condition | undefined }
  | {
      readonly kind: "update";
      readonly key: Item;
      readonly actions: readonly UpdateAction[];
      readonly condition?: Condition | undefined;
    }
  | { readonly kind: "delete" | "check"; readonly key: Item; readonly condition?: Condition | undefined };

/** What a write would do: `next` is undefined when nothing is left. */
export interface Change {
  readonly key: Item;
  readonly old: Item | undefined;
  readonly next: Item | undefined;
}

/** A table of DynamoDB, without a network: it does nothing by itself, and time is what `now` says. */
export interface Table {
  readonly settings: TableSettings;
  configure(settings: TableSettings): void;
  get(key: Item): Item | undefined;
  /** Works out a write without doing it. @throws TableError, also ConditionFailedError */
  plan(write: Write): Change;
  /** Does what was planned, if nothing was written in between. */
  commit(change: Change): void;
  /** The items of one hash key, or of an index's, in the order of their range keys. */
  partition(key: Item, indexName?: string): Item[];
  /** Every item, in an order that means nothing but stays. */
  all(): Item[];
  /** Deletes the items whose time to live is over; until then they are read like others. Gives how many there were. */
  sweep(): number;
  clear(): void;
  /** Has these items in the place of all others. */
  putBack(items: readonly Item[]): void;
}

/** Thrown when a write's condition does not hold; `old` is the item as it is. */
export class ConditionFailedError extends TableError {
  readonly old: Item | undefined;

  constructor(old: Item | undefined) {
    super("ConditionalCheckFailedException", "The conditional request failed");
    this.old = old;
  }
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-items */
const maxItemBytes = 400 * 1024;

/** Makes a table with the items of an earlier run, if there are any. */
export function createTableModel(initial: TableSettings, surroundings: TableSurroundings = {}): Table {
  const { now = Date.now, journal } = surroundings;
  let settings = initial;
  const { keys } = initial;
  // Hash key → the items that have it, in the order of their range keys.
  const partitions = new Map<string, Item[]>();

  const find = (key: Item) => {
    const items = partitions.get(hashOf(keys, key)) ?? [];
    let [low, high] = [0, items.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const item = items[middle];
      if (item && compareRanges(keys, item, key) < 0) low = middle + 1;
      else high = middle;
    }
    const found = items[low];
    const isThere = found !== undefined && compareRanges(keys, found, key) === 0;
    return { items, place: low, found: isThere ? found : undefined };
  };
  const put = (item: Item) => {
    const { items, place, found } = find(item);
    items.splice(place, found ? 1 : 0, item);
    partitions.set(hashOf(keys, item), items);
  };
  const remove = (key: Item) => {
    const { items, place, found } = find(key);
    if (found) items.splice(place, 1);
    if (items.length === 0) partitions.delete(hashOf(keys, key));
  };
  const all = () => [...partitions.values()].flat();
  for (const item of surroundings.stored ?? []) put(item);

  const table: Table = {
    get settings() {
      return settings;
    },
    configure(next) {
      settings = next;
    },
    get(key) {
      checkKey(keys, key);
      return find(key).found;
    },
    plan(write) {
      if (write.kind === "put") checkItemKey(keys, write.item);
      else checkKey(keys, write.key);
      const key = write.kind === "put" ? keyOf(keys, write.item) : write.key;
      const old = find(key).found;
      if (write.condition && !meets(old ?? {}, write.condition)) throw new ConditionFailedError(old);
      switch (write.kind) {
        case "put":
          refuseLarge(write.item, "Item size has exceeded the maximum allowed size");
          checkIndexKeys(settings, write.item);
          return { key, old, next: write.item };
        case "update": {
          refuseKeyChange(keys, write.actions);
          const next = applyUpdate(old ?? key, write.actions);
          refuseLarge(next, "Item size to update has exceeded the maximum allowed size");
          checkIndexKeys(settings, next);
          return { key, old, next };
        }
        case "delete":
          return { key, old, next: undefined };
        case "check":
          return { key, old, next: old };
      }
    },
    commit({ key, old, next }) {
      if (next === old) return;
      if (next === undefined) {
        remove(key);
        journal?.remove(key);
      } else {
        put(next);
        journal?.put(key, next);
      }
    },
    partition(key, indexName) {
      if (indexName === undefined) return [...(partitions.get(hashOf(keys, key)) ?? [])];
      const index = settings.indexes?.[indexName];
      if (!index) throw invalid(`The table does not have the specified index: ${indexName}`);
      const isIndexed = (item: Item) => attributesOf(index).every(({ name }) => item[name] !== undefined);
      return all()
        .filter((item) => isIndexed(item) && hashOf(index, item) === hashOf(index, key))
        .toSorted((one, other) => compareRanges(index, one, other));
    },
    all: () =>
      [...partitions]
        .map(([hash, items]) => ({ digest: createHash("md5").update(hash).digest("hex"), items }))
        .toSorted((one, other) => (one.digest < other.digest ? -1 : 1))
        .flatMap(({ items }) => items),
    sweep() {
      const { expiryAttribute } = settings;
      if (expiryAttribute === undefined) return 0;
      const expired = all().filter((item) => {
        const expiry = item[expiryAttribute];
        return expiry !== undefined && "N" in expiry && Number(expiry.N) * 1000 <= now();
      });
      for (const item of expired) table.commit({ key: keyOf(keys, item), old: item, next: undefined });
      return expired.length;
    },
    putBack(items) {
      table.clear();
      for (const item of items) {
        put(item);
        journal?.put(keyOf(keys, item), item);
      }
    },
    clear() {
      for (const item of all()) journal?.remove(keyOf(keys, item));
      partitions.clear();
    },
  };
  return table;
}

function refuseLarge(item: Item, message: string): void {
  if (sizeOfItem(item) > maxItemBytes) throw invalid(message);
}

function refuseKeyChange(keys: KeySchema, actions: readonly UpdateAction[]): void {
  for (const { name } of attributesOf(keys)) {
    if (!actions.some(({ path }) => path[0] === name)) continue;
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
    );
  }
}

/** An item need not be in an index, but what is there must be of the index's type. */
function checkIndexKeys({ indexes = {} }: TableSettings, item: Item): void {
  for (const index of Object.values(indexes)) {
    for (const attribute of attributesOf(index)) {
      if (item[attribute.name] !== undefined) checkItemKey({ hash: attribute }, item);
    }
  }
}
