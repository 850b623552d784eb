import type { Condition, Item, ItemValue, Table, Written } from "../../lib/aws/table.ts";

/**
 * A table in memory with the conditions that this system uses: `attribute_exists`, `attribute_not_exists`, comparisons,
 * AND, OR, NOT and parentheses. Each call takes effect at once.
 */
export function createMemoryTable(
  partitionKey: string,
  sortKey?: string,
): Table & { readonly items: () => Item[] } {
  const items = new Map<string, Item>();
  const keyOf = (item: Item) => JSON.stringify([item[partitionKey], sortKey && item[sortKey]]);
  const sorted = () =>
    [...items.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);

  const write = (
    key: Item,
    condition: Condition | undefined,
    change: (old: Item) => Item | undefined,
  ): Written => {
    const old = items.get(keyOf(key));
    if (condition !== undefined && !holds(condition, old ?? {})) {
      return { ok: false, ...(old && { old: structuredClone(old) }), maybeOurs: false };
    }
    const item = change(old ?? key);
    if (item === undefined) items.delete(keyOf(key));
    else items.set(keyOf(key), structuredClone(withoutUndefined(item)));
    return { ok: true };
  };

  return {
    items: () => structuredClone(sorted()),
    get: async (key) => structuredClone(items.get(keyOf(key))),
    batchGet: async (keys) => {
      const found = keys.map((key) => items.get(keyOf(key))).filter((item) => item !== undefined);
      return structuredClone(found);
    },
    put: async (item, condition) => write(item, condition, () => item),
    delete: async (key, condition) => write(key, condition, () => undefined),
    update: async (key, { set, add = {}, remove = [] }, condition) => {
      const written = write(key, condition, (old) => {
        const sums: Item = Object.fromEntries(
          Object.entries(add).map(([name, number]) => [name, Number(old[name] ?? 0) + number]),
        );
        const changed: Item = { ...old, ...withoutUndefined(set ?? {}), ...sums };
        return Object.fromEntries(Object.entries(changed).filter(([name]) => !remove.includes(name)));
      });
      return written.ok ? { ok: true, item: structuredClone(items.get(keyOf(key)) ?? {}) } : written;
    },
    query: async (partition, { from = "", to = "\u{10ffff}", prefix = "", limit } = {}) => {
      const ofPartition = sorted().filter((item) => item[partitionKey] === partition[partitionKey]);
      const inRange = ofPartition.filter((item) => {
        const name = String(item[sortKey ?? ""]);
        return name >= from && name <= to && name.startsWith(prefix);
      });
      return structuredClone(inRange.slice(0, limit));
    },
  };
}

function withoutUndefined(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}

function holds({ expression, names = {}, values = {} }: Condition, item: Item): boolean {
  const tokens = expression.match(/[#:]?\w+|<>|<=|>=|[<>=()]/g) ?? [];
  const next = () => tokens.shift() ?? "";
  const meaningOf = (token: string): ItemValue => {
    if (token.startsWith(":") && token in values) return values[token];
    if (token.startsWith("#") && token in names) return item[names[token] ?? ""];
    throw new Error(`"${token}" stands for nothing in ${expression}`);
  };

  const parseTerm = (): boolean => {
    const token = next();
    if (token === "NOT") return !parseTerm();
    if (token === "(") {
      const value = parseOr();
      next();
      return value;
    }
    if (token.startsWith("attribute_")) {
      next();
      const isThere = meaningOf(next()) !== undefined;
      next();
      return token === "attribute_exists" ? isThere : !isThere;
    }
    return compare(meaningOf(token), next(), meaningOf(next()));
  };
  const parseAnd = (): boolean => {
    let value = parseTerm();
    while (tokens[0] === "AND") {
      next();
      value = parseTerm() && value;
    }
    return value;
  };
  const parseOr = (): boolean => {
    let value = parseAnd();
    while (tokens[0] === "OR") {
      next();
      value = parseAnd() || value;
    }
    return value;
  };
  return parseOr();
}

/** An absent attribute compares with nothing. */
function compare(left: ItemValue, sign: string, right: ItemValue): boolean {
  if (left === undefined || right === undefined || typeof left !== typeof right) return sign === "<>";
  if (sign === "=") return left === right;
  if (sign === "<>") return left !== right;
  if (left === null || right === null) return false;
  if (sign === "<") return left < right;
  if (sign === "<=") return left <= right;
  if (sign === ">") return left > right;
  return left >= right;
}
