/** An item of a table, or a part of one, in plain values; what is undefined is left out. */
export type Item = { readonly [name: string]: ItemValue };

export type ItemValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Uint8Array
  | readonly ItemValue[]
  | { readonly [name: string]: ItemValue };

/** One DynamoDB table. Every call throws AwsCallError when the table refuses it or gives no answer. */
export interface Table {
  /** Reads an item, as it is after all writes that were answered unless `consistent` is false. */
  get(key: Item, options?: { readonly consistent?: boolean }): Promise<Item | undefined>;
  /** Reads up to 100 items, as they are after all writes that were answered; those that do not exist are left out. */
  batchGet(keys: readonly Item[]): Promise<Item[]>;
  /** Writes a whole item. May be repeated, as far as its condition lets it. */
  put(item: Item, condition?: Condition): Promise<Written>;
  /** Changes an item, or makes it, and gives the new one. With `add` it must not be repeated: it would count twice. */
  update(key: Item, change: Change, condition?: Condition): Promise<Written>;
  /** May be repeated, as far as its condition lets it. */
  delete(key: Item, condition?: Condition): Promise<Written>;
  /** Gives a partition's items in the order of the sort key, as they are after all writes that were answered. */
  query(partition: Item, range?: Range): Promise<Item[]>;
}

/** What must hold of the item that is there, in DynamoDB's words; names begin with `#`, values with `:`. */
export interface Condition {
  readonly expression: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Item;
}

/** Attributes to set, to add a number to (what is absent counts as 0), and to take away. */
export interface Change {
  readonly set?: Item;
  readonly add?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
}

/** A part of a partition, by sort key. */
export interface Range {
  /** Inclusive. Default: the first. */
  readonly from?: string;
  /** Inclusive. Default: the last. */
  readonly to?: string;
  /** Instead of `from` and `to`: keys that begin so. */
  readonly prefix?: string;
  /** Default: all. */
  readonly limit?: number;
}

export type Written =
  /** `item` is the new one, after an update. */
  | { readonly ok: true; readonly item?: Item }
  /**
   * The condition did not hold for `old`, the item that is there.
   * `maybeOurs`: an earlier try of this very call got no answer, so `old` may be what it wrote.
   */
  | { readonly ok: false; readonly old?: Item; readonly maybeOurs: boolean };
