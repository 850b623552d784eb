/** Undefined fields are omitted. */
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

/** Every method throws AwsCallError. */
export interface Table {
  /** Reads one item, strongly consistent. */
  get(key: Item): Promise<Item | undefined>;
  /** Reads up to 100 items, strongly consistent; omits those that do not exist. */
  batchGet(keys: readonly Item[]): Promise<Item[]>;
  /** May be repeated, if its condition allows it. */
  put(item: Item, condition?: Condition): Promise<Written>;
  /** Returns the new item. With `add`, it must not be repeated: it would count twice. */
  update(key: Item, change: Change, condition?: Condition): Promise<Written>;
  /** May be repeated, if its condition allows it. */
  delete(key: Item, condition?: Condition): Promise<Written>;
  /** Reads items in the order of the sort key, strongly consistent. */
  query(partition: Item, range?: Range): Promise<Item[]>;
}

/** A condition in DynamoDB's syntax. Names begin with `#`, values with `:`. */
export interface Condition {
  readonly expression: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Item;
}

/**
 * @param values by their names without `:`
 * @param names attributes by the names after `#`, where they differ
 */
export function when(
  expression: string,
  values: Item = {},
  names: Readonly<Record<string, string>> = {},
): Condition {
  const used = expression.match(/#\w+/g) ?? [];
  return {
    expression,
    names: Object.fromEntries(used.map((name) => [name, names[name.slice(1)] ?? name.slice(1)])),
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
  };
}

/** Attributes to set, to add to (absent counts as 0), and to remove. */
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
  /** Replaces `from` and `to`. */
  readonly prefix?: string;
  /** Default: all. */
  readonly limit?: number;
}

export type Written =
  /** `item`: the new one after an update. */
  | { readonly ok: true; readonly item?: Item }
  /**
   * `old`: the existing item. `maybeOurs`: an earlier try of this call got no answer and may have written it.
   */
  | { readonly ok: false; readonly old?: Item; readonly maybeOurs: boolean };
