import { sha256Hex } from "../base/digest.ts";
import { isRecord } from "../base/json.ts";

/** Equal values give equal texts, in any order of names and at any depth. Null counts as absent. */
export function canonicalText(value: unknown): string {
  // A body of 1 MB can be nested deeper than the call stack.
  const open: { readonly items: object; readonly isList: boolean; readonly names: Iterator<string> }[] = [];
  let text = "";
  const write = (inner: unknown): void => {
    const isList = Array.isArray(inner);
    if (isList || isRecord(inner)) {
      text += isList ? "[" : "{";
      const names = Object.keys(inner);
      open.push({ items: inner, isList, names: (isList ? names : names.sort()).values() });
    } else text += `${JSON.stringify(inner ?? null)}${open.length > 0 ? "," : ""}`;
  };

  write(value);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const { items, isList, names } = top;
    const { value: name, done } = names.next();
    if (done) {
      open.pop();
      text += `${isList ? "]" : "}"}${open.length > 0 ? "," : ""}`;
      continue;
    }
    const inner: unknown = Reflect.get(items, name);
    if (!isList && (inner === undefined || inner === null)) continue;
    if (!isList) text += `${JSON.stringify(name)}:`;
    write(inner);
  }
  return text;
}

/** 32 hexadecimal digits. Keeps users' texts out of keys and logs. */
export function digestOf(value: unknown): string {
  return sha256Hex(canonicalText(value)).slice(0, 32);
}
