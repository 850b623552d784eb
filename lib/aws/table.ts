/** An item of a table, or a part of one, in plain values. Undefined fields are omitted. */
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

/** One DynamoDB table. Every method throws AwsCallError if the table refuses the call or does not answer. */
export interface Table {
  /** Reads an item with strong consistency, unless `consistent` is false. */
  get(key: Item, options?: { readonly consistent?: boolean }): Promise<Item | undefined>;
  /** Reads up to 100 items with strong consistency. Items that do not exist are omitted. */
  batchGet(keys: readonly Item[]): Promise<Item[]>;
  /** Writes a whole item. May be repeated, if its condition allows it. */
  put(item: Item, condition?: Condition): Promise<Written>;
  /**
   * Creates or changes an item and returns the new one. With `add` it must not be repeated, because it would
   * count twice.
   */
  update(key: Item, change: Change, condition?: Condition): Promise<Written>;
  /** May be repeated, if its condition allows it. */
  delete(key: Item, condition?: Condition): Promise<Written>;
  /** Returns a partition's items in the order of the sort key, with strong consistency. */
  query(partition: Item, range?: Range): Promise<Item[]>;
}

/** A condition on the existing item, in DynamoDB's syntax. Names begin with `#`, values with `:`. */
export interface Condition {
  readonly expression: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Item;
}

/** Attributes to set, to add a number to (absent counts as 0), and to remove. */
export interface Change {
  readonly set?: Item;
  readonly add?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
}

export interface Range {
  /** Inclusive. Default: the first. */
  readonly from?: string;
  /** Inclusive. Default: the last. */
  readonly to?: string;
  /** Instead of `from` and `to`: keys with this prefix. */
  readonly prefix?: string;
  /** Default: all. */
  readonly limit?: number;
}

export type Written =
  /** `item`: the new item after an update. */
  | { readonly ok: true; readonly item?: Item }
  /**
   * The condition failed for `old`, the existing item. `maybeOurs`: an earlier try of this call got no
   * answer, so that try may have written `old`.
   */
  | { readonly ok: false; readonly old?: Item; readonly maybeOurs: boolean };
