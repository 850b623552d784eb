import { hash } from "node:crypto";
import { AwsError } from "../aws-error.ts";
import type { Journal } from "../collection-store.ts";
import { canonical, type Item, sizeOfItem } from "./attribute-value.ts";
import type { Condition } from "./condition.ts";
import { invalid } from "./invalid.ts";
import {
  attributesOf,
  checkItemKey,
  checkKey,
  compareRanges,
  hashOf,
  type KeySchema,
  keyOf,
} from "./table-keys.ts";
import { applyUpdate, type UpdateAction } from "./update.ts";

export interface TableSettings {
  readonly keys: KeySchema;
  readonly indexes: Readonly<Record<string, KeySchema>>;
  /** In seconds since 1970; undefined if items do not expire. */
  readonly expiryAttribute?: string | undefined;
}

export interface TableSurroundings {
  /** Milliseconds since 1970. */
  now(): number;
  /** Default: in memory. */
  readonly journal?: Journal<Item> | undefined;
}

export type Write = {
  readonly condition?: Condition | undefined;
  /** A failed condition reports the item. */
  readonly returnsOld: boolean;
} & (
  | { readonly kind: "put"; readonly item: Item }
  | { readonly kind: "update"; readonly key: Item; readonly actions: readonly UpdateAction[] }
  | { readonly kind: "delete"; readonly key: Item }
);

/** `next` is undefined for a deletion. */
export interface Change {
  readonly key: Item;
  readonly old: Item | undefined;
  readonly next: Item | undefined;
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-items */
const maxItemBytes = 400 * 1024;

/** A DynamoDB table without a network or timers: time is what `now` returns. */
export class Table {
  settings: TableSettings;
  readonly #surroundings: TableSurroundings;
  /** Items by hash key, each list in the order of the range keys. */
  readonly #partitions = new Map<string, Item[]>();

  constructor(settings: TableSettings, surroundings: TableSurroundings, stored: readonly Item[] = []) {
    this.settings = settings;
    this.#surroundings = surroundings;
    for (const item of stored) this.#set(keyOf(settings.keys, item), item);
  }

  get(key: Item): Item | undefined {
    checkKey(this.settings.keys, key);
    return this.#find(key).found;
  }

  /** @throws AwsError, also for a condition that does not hold */
  write(write: Write): Change {
    const { keys } = this.settings;
    if (write.kind === "put") checkItemKey(keys, write.item);
    else checkKey(keys, write.key);
    const key = write.kind === "put" ? keyOf(keys, write.item) : write.key;
    const old = this.#find(key).found;
    if (write.condition?.holds(old ?? {}) === false) {
      const details = write.returnsOld && old ? { Item: old } : {};
      throw new AwsError("ConditionalCheckFailedException", "The conditional request failed", 400, details);
    }
    const change = { key, old, next: this.#after(write, old) };
    this.commit(change);
    return change;
  }

  commit({ key, old, next }: Change): void {
    if (next === old) return;
    const { journal } = this.#surroundings;
    // First: a full disk refuses it, and then nothing is changed.
    if (next === undefined) journal?.remove(canonical({ M: key }));
    else journal?.put(canonical({ M: key }), next);
    this.#set(key, next);
  }

  /** Returns the items of one hash key, or of an index's, in the order of their range keys. */
  partition(key: Item, indexName?: string): readonly Item[] {
    const { keys, indexes } = this.settings;
    if (indexName === undefined) return this.#partitions.get(hashOf(keys, key)) ?? [];
    const index = indexes[indexName];
    if (!index) throw invalid(`The table does not have the specified index: ${indexName}`);
    const isIndexed = (item: Item) => attributesOf(index).every(({ name }) => item[name] !== undefined);
    return this.all()
      .filter((item) => isIndexed(item) && hashOf(index, item) === hashOf(index, key))
      .toSorted((one, other) => compareRanges(index, one, other));
  }

  /** In an arbitrary but stable order. */
  all(): Item[] {
    return [...this.#partitions]
      .map(([key, items]) => ({ digest: hash("md5", key), items }))
      .toSorted((one, other) => (one.digest < other.digest ? -1 : 1))
      .flatMap(({ items }) => items);
  }

  /** Deletes expired items, which are read like others until then. */
  sweep(): void {
    const { expiryAttribute } = this.settings;
    if (expiryAttribute === undefined) return;
    for (const item of this.all()) {
      const expiry = item[expiryAttribute];
      if (expiry === undefined || !("N" in expiry)) continue;
      if (Number(expiry.N) * 1000 <= this.#surroundings.now()) this.#delete(item);
    }
  }

  replace(items: readonly Item[]): void {
    for (const item of this.all()) this.#delete(item);
    for (const item of items) {
      this.commit({ key: keyOf(this.settings.keys, item), old: undefined, next: item });
    }
  }

  #delete(item: Item): void {
    this.commit({ key: keyOf(this.settings.keys, item), old: item, next: undefined });
  }

  #after(write: Write, old: Item | undefined): Item | undefined {
    if (write.kind === "delete") return undefined;
    if (write.kind === "update") refuseKeyChange(this.settings.keys, write.actions);
    const next = write.kind === "put" ? write.item : applyUpdate(old ?? write.key, write.actions);
    if (sizeOfItem(next) > maxItemBytes) {
      const what = write.kind === "put" ? "Item size" : "Item size to update";
      throw invalid(`${what} has exceeded the maximum allowed size`);
    }
    // An item need not be in an index, but must have the types of its attributes.
    for (const attribute of Object.values(this.settings.indexes).flatMap(attributesOf)) {
      if (next[attribute.name] !== undefined) checkItemKey({ hash: attribute }, next);
    }
    return next;
  }

  #set(key: Item, next: Item | undefined): void {
    const { items, place, found } = this.#find(key);
    items.splice(place, found ? 1 : 0, ...(next ? [next] : []));
    const hash = hashOf(this.settings.keys, key);
    if (items.length > 0) this.#partitions.set(hash, items);
    else this.#partitions.delete(hash);
  }

  #find(key: Item) {
    const { keys } = this.settings;
    const items = this.#partitions.get(hashOf(keys, key)) ?? [];
    let [low, high] = [0, items.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const item = items[middle];
      if (item && compareRanges(keys, item, key) < 0) low = middle + 1;
      else high = middle;
    }
    const item = items[low];
    const isFound = item !== undefined && compareRanges(keys, item, key) === 0;
    return { items, place: low, found: isFound ? item : undefined };
  }
}

function refuseKeyChange(keys: KeySchema, actions: readonly UpdateAction[]): void {
  for (const { name } of attributesOf(keys)) {
    if (!actions.some(({ path }) => path[0] === name)) continue;
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
    );
  }
}
