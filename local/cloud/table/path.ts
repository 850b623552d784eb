import type { AttributeValue, Item } from "./attribute-value.ts";
import { invalid } from "./invalid.ts";

/** Attribute names and list indexes; first a name. */
export type Path = readonly (string | number)[];

/** Undefined if it does not exist. */
export function valueAt(item: Item, path: Path): AttributeValue | undefined {
  let value: AttributeValue | undefined = { M: item };
  for (const step of path) value = value && childOf(value, step);
  return value;
}

/**
 * Undefined removes the value.
 * @throws AwsError if a parent of the path does not exist
 */
export function withValueAt(item: Item, path: Path, value: AttributeValue | undefined): Item {
  const changed = replaced({ M: item }, path, value);
  if ("M" in changed) return changed.M;
  throw pathError();
}

/** Each value in its place. */
export function project(item: Item, paths: readonly Path[]): Item {
  let projected: Item = {};
  for (const path of paths) {
    const value = valueAt(item, path);
    if (value !== undefined) projected = graft(projected, path, value);
  }
  return projected;
}

export function writePath(path: Path): string {
  return `[${path.map((step) => (typeof step === "number" ? `[${step}]` : step)).join(", ")}]`;
}

function childOf(value: AttributeValue, step: string | number): AttributeValue | undefined {
  if (typeof step === "number") return "L" in value ? value.L[step] : undefined;
  return "M" in value && Object.hasOwn(value.M, step) ? value.M[step] : undefined;
}

function replaced(
  holder: AttributeValue,
  [step, ...rest]: Path,
  value: AttributeValue | undefined,
): AttributeValue {
  if (step === undefined) throw pathError();
  const child = childOf(holder, step);
  if (rest.length > 0 && child === undefined) throw pathError();
  const next = rest.length > 0 && child !== undefined ? replaced(child, rest, value) : value;
  if (typeof step === "string" && "M" in holder) {
    const { [step]: _old, ...others } = holder.M;
    return { M: next === undefined ? others : { ...holder.M, [step]: next } };
  }
  if (typeof step === "number" && "L" in holder) {
    const list = [...holder.L];
    if (next === undefined) list.splice(step, 1);
    else list[Math.min(step, list.length)] = next;
    return { L: list };
  }
  throw pathError();
}

/** List elements without gaps. */
function graft(item: Item, [name, ...rest]: Path, value: AttributeValue): Item {
  if (typeof name !== "string") return item;
  return { ...item, [name]: grafted(item[name], rest, value) };
}

function grafted(holder: AttributeValue | undefined, path: Path, value: AttributeValue): AttributeValue {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list = holder && "L" in holder ? holder.L : [];
    return { L: [...list, grafted(undefined, rest, value)] };
  }
  const map = holder && "M" in holder ? holder.M : {};
  return { M: { ...map, [step]: grafted(map[step], rest, value) } };
}

function pathError() {
  return invalid("The document path provided in the update expression is invalid for update");
}
