import { OwnError } from "../base/errors.ts";
import { isRecord } from "../base/json.ts";
import { AwsCallError, throttlingCodes } from "./aws-call.ts";

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

/** A table cannot hold the value, or a stored type is not used here. The message never quotes the value. */
export class ItemValueError extends OwnError {
  override readonly name = "ItemValueError";
}

/** @throws ItemValueError for a number that is not finite */
export function toAttributes(item: Item): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(item)) {
    if (value !== undefined) attributes[name] = toAttribute(value);
  }
  return attributes;
}

/**
 * Sets are not supported.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html
 * @throws ItemValueError if the input is not a map of attribute values
 */
export function readAttributes(attributes: unknown): Item {
  if (!isRecord(attributes)) throw new ItemValueError("The table gave no item where one belongs.");
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [name, readAttribute(attribute)]),
  );
}

function toAttribute(value: Exclude<ItemValue, undefined>): unknown {
  if (value === null) return { NULL: true };
  if (typeof value === "string") return { S: value };
  if (typeof value === "boolean") return { BOOL: value };
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new ItemValueError("A table cannot hold a number that is not finite.");
    return { N: String(value) };
  }
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString("base64") };
  if (isList(value)) return { L: value.flatMap((one) => (one === undefined ? [] : [toAttribute(one)])) };
  return { M: toAttributes(value) };
}

function readAttribute(attribute: unknown): ItemValue {
  const [entry] = isRecord(attribute) ? Object.entries(attribute) : [];
  const [type, value] = entry ?? [];
  if (type === "S" && typeof value === "string") return value;
  if (type === "N" && typeof value === "string") return Number(value);
  if (type === "BOOL" && typeof value === "boolean") return value;
  if (type === "NULL") return null;
  if (type === "B" && typeof value === "string") return Buffer.from(value, "base64");
  if (type === "L" && Array.isArray(value)) return value.map(readAttribute);
  if (type === "M") return readAttributes(value);
  throw new ItemValueError(`The table gave a value of type ${type}, which is not used here.`);
}

function isList(value: object): value is readonly ItemValue[] {
  return Array.isArray(value);
}

const firstPauseMs = 250;

/** Repeats what failed until `untilMs`. @param isFinal default: what a later call cannot change */
export async function insist<Result>(
  act: () => Promise<Result>,
  untilMs: number,
  { now, sleep }: { readonly now: () => number; readonly sleep: (ms: number) => Promise<void> },
  isFinal: (error: unknown) => boolean = isLasting,
): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    try {
      return await act();
    } catch (error) {
      if (isFinal(error) || now() + pauseMs >= untilMs) throw error;
      await sleep(pauseMs);
    }
  }
}

function isLasting(error: unknown): boolean {
  if (!(error instanceof AwsCallError)) return true;
  // Unprocessed keys have 200.
  const { status = 0, code } = error;
  return status >= 400 && status < 500 && !throttlingCodes.test(code);
}
