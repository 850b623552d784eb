import { sha256Hex } from "../base/digest.ts";
import { isRecord } from "../base/json.ts";

/** Equal values give equal texts, in any order of names. Null counts as absent. Works at any depth. */
export function canonicalText(value: unknown): string {
  // A body of 1 MB can be nested deeper than the call stack.
  const open: Opened[] = [];
  let text = "";
  const write = (inner: unknown): boolean => {
    if (Array.isArray(inner)) {
      text += "[";
      open.push({ items: inner, names: undefined, next: 0 });
      return false;
    }
    if (isRecord(inner)) {
      text += "{";
      open.push({ items: inner, names: Object.keys(inner).sort(), next: 0 });
      return false;
    }
    text += JSON.stringify(inner ?? null);
    return true;
  };

  write(value);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (!writeUntilNested(top)) continue;
    text += top.names === undefined ? "]" : "}";
    open.pop();
    if (open.length > 0) text += ",";
  }
  return text;

  function writeUntilNested(top: Opened): boolean {
    if (top.names === undefined) {
      while (top.next < top.items.length) {
        if (!write(top.items[top.next++])) return false;
        text += ",";
      }
      return true;
    }
    while (top.next < top.names.length) {
      const name = top.names[top.next++] ?? "";
      const inner = top.items[name];
      if (inner === undefined || inner === null) continue;
      text += `${JSON.stringify(name)}:`;
      if (!write(inner)) return false;
      text += ",";
    }
    return true;
  }
}

/** 32 hexadecimal digits, equal for equal JSON values. Keeps users' texts out of keys and logs. */
export function digestOf(value: unknown): string {
  return sha256Hex(canonicalText(value)).slice(0, 32);
}

type Opened = { next: number } & (
  | { readonly items: readonly unknown[]; readonly names: undefined }
  | { readonly items: Readonly<Record<string, unknown>>; readonly names: readonly string[] }
);
