import type { AttributeValue, Item } from "./attribute-value.ts";
import { invalid } from "./invalid.ts";

/** Elements of lists are not supported. */
export type Path = readonly string[];

export function valueAt(item: Item, path: Path): AttributeValue | undefined {
  let value: AttributeValue | undefined = { M: item };
  for (const name of path) {
    value = value && "M" in value && Object.hasOwn(value.M, name) ? value.M[name] : undefined;
  }
  return value;
}

/** Undefined removes the value. @param missing creates a missing map. Default: throws AwsError */
export function withValueAt(
  item: Item,
  [name = "", ...rest]: Path,
  value: AttributeValue | undefined,
  missing: () => Item = refuseMissing,
): Item {
  const { [name]: old, ...others } = item;
  if (rest.length > 0) {
    const inner = old && "M" in old ? old.M : missing();
    return { ...item, [name]: { M: withValueAt(inner, rest, value, missing) } };
  }
  return value === undefined ? others : { ...item, [name]: value };
}

export function project(item: Item, paths: readonly Path[]): Item {
  return paths.reduce((projected: Item, path) => {
    const value = valueAt(item, path);
    return value === undefined ? projected : withValueAt(projected, path, value, () => ({}));
  }, {});
}

function refuseMissing(): never {
  throw invalid("The document path provided in the update expression is invalid for update");
}
