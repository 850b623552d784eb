import { hash } from "node:crypto";
import { AwsError } from "../aws-error.ts";
import type { Journal } from "../collection-store.ts";
import { type Item, sizeOfItem } from "./attribute-value.ts";
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
  writeKey,
} from "./table-keys.ts";

export interface TableSettings {
  readonly keys: KeySchema;
  readonly indexes: Readonly<Record<string, KeySchema>>;
  /** Attribute in seconds since 1970; undefined: items do not expire. */
  readonly expiryAttribute?: string | undefined;
}

export interface TableSurroundings {
  now(): number;
  readonly journal?: Journal<Item> | undefined;
}

export interface WriteGuard {
  readonly condition?: Condition | undefined;
  readonly returnsOld?: boolean;
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-items */
const maxItemBytes = 400 * 1024;

export class Table {
  settings: TableSettings;
  readonly #surroundings: TableSurroundings;
  /** Items by partition, in range key order. */
  readonly #partitions = new Map<string, Item[]>();

  constructor(settings: TableSettings, surroundings: TableSurroundings, stored: readonly Item[] = []) {
    this.settings = settings;
    this.#surroundings = surroundings;
    for (const item of stored) this.#set(item, item);
  }

  get(key: Item): Item | undefined {
    checkKey(this.settings.keys, key);
    return this.#find(key).found;
  }

  put(item: Item, guard: WriteGuard = {}): { readonly old: Item | undefined } {
    const { keys } = this.settings;
    checkItemKey(keys, item);
    return this.write(keyOf(keys, item), guard, () => item);
  }

  /** @param change returns the new item; undefined deletes it @throws AwsError, also if a condition fails */
  write<Next extends Item | undefined>(
    key: Item,
    { condition, returnsOld = false }: WriteGuard,
    change: (old: Item | undefined) => Next,
  ): { readonly old: Item | undefined; readonly next: Next } {
    const old = this.get(key);
    if (condition?.holds(old ?? {}) === false) {
      const details = returnsOld && old ? { Item: old } : {};
      throw new AwsError("ConditionalCheckFailedException", "The conditional request failed", 400, details);
    }
    const next = change(old);
    if (next !== undefined) this.#check(next);
    if (next !== old) this.commit(key, next);
    return { old, next };
  }

  partition(key: Item, keys: KeySchema = this.settings.keys): readonly Item[] {
    if (keys === this.settings.keys) return this.#partitions.get(hashOf(keys, key)) ?? [];
    return this.indexed(keys)
      .filter((item) => hashOf(keys, item) === hashOf(keys, key))
      .toSorted((one, other) => compareRanges(keys, one, other));
  }

  indexed(keys: KeySchema): Item[] {
    return this.all().filter((item) => attributesOf(keys).every(({ name }) => item[name] !== undefined));
  }

  /** Returns all items in a stable order. */
  all(): Item[] {
    return [...this.#partitions]
      .map(([key, items]) => ({ digest: hash("md5", key), items }))
      .toSorted((one, other) => (one.digest < other.digest ? -1 : 1))
      .flatMap(({ items }) => items);
  }

  sweep(): void {
    const { expiryAttribute } = this.settings;
    if (expiryAttribute === undefined) return;
    for (const item of this.all()) {
      const expiry = item[expiryAttribute];
      if (expiry === undefined || !("N" in expiry)) continue;
      if (Number(expiry.N) * 1000 <= this.#surroundings.now()) this.commit(item, undefined);
    }
  }

  replace(items: readonly Item[]): void {
    for (const item of this.all()) this.commit(item, undefined);
    for (const item of items) this.commit(item, item);
  }

  commit(key: Item, next: Item | undefined): void {
    const { journal } = this.#surroundings;
    const name = writeKey(keyOf(this.settings.keys, key));
    // Written first: a full disk may refuse it.
    if (next === undefined) journal?.remove(name);
    else journal?.put(name, next);
    this.#set(key, next);
  }

  #check(item: Item) {
    if (sizeOfItem(item) > maxItemBytes) throw invalid("Item size has exceeded the maximum allowed size");
    // Index attributes may be missing, but not of other types.
    for (const attribute of Object.values(this.settings.indexes).flatMap(attributesOf)) {
      if (item[attribute.name] !== undefined) checkItemKey({ hash: attribute }, item);
    }
  }

  #set(key: Item, next: Item | undefined) {
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
