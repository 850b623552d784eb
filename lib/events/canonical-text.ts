import { sha256Hex } from "../digest.ts";
import { isRecord } from "../json.ts";

/**
 * Writes a JSON value so that equal values give equal texts, whatever the order of their names; a null counts as
 * absent. Bears any depth.
 */
export function canonicalText(value: unknown): string {
  // A stack of its own instead of recursion: a body of 1 MB can be nested deeper than functions can be.
  const pending: Pending[] = [{ value }];
  let text = "";
  while (true) {
    const next = pending.pop();
    if (next === undefined) return text;
    if ("text" in next) {
      text += next.text;
      continue;
    }
    const { value } = next;
    if (Array.isArray(value)) {
      text += "[";
      pending.push({ text: "]" });
      for (const item of value.toReversed()) pending.push({ text: "," }, { value: item });
    } else if (isRecord(value)) {
      text += "{";
      pending.push({ text: "}" });
      for (const name of Object.keys(value).sort().reverse()) {
        if (value[name] === undefined || value[name] === null) continue;
        pending.push({ text: "," }, { value: value[name] }, { text: `${JSON.stringify(name)}:` });
      }
    } else {
      text += JSON.stringify(value ?? null);
    }
  }
}

/** Gives 32 hexadecimal digits that are equal for equal JSON values: texts of people stay out of keys and logs. */
export function digestOf(value: unknown): string {
  return sha256Hex(canonicalText(value)).slice(0, 32);
}

type Pending = { readonly value: unknown } | { readonly text: string };
