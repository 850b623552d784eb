import { parseJson } from "../../../base/json.ts";

/**
 * Parsers differ in which of two equal names they use (RFC 8259, section 4).
 * @param text JSON or any other text
 */
export function hasDuplicateNames(text: string): boolean {
  const open: Set<unknown>[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*(?:"(?:\s*:)?|$)|[{}]/gs)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (token.endsWith(":")) {
      const names = open.at(-1);
      const name = parseJson(token.slice(0, -1)); // \u0061 is a
      if (names?.has(name)) return true;
      names?.add(name);
    }
  }
  return false;
}
