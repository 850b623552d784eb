/** Parts of JSON that matter here: texts, and what begins, ends or separates. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * Tells whether an object somewhere in a JSON text has two fields of one name. Parsers differ in which of the two they
 * take, so that what one reader checked need not be what another goes by (RFC 8259, section 4).
 * @param text Valid JSON.
 */
export function hasDuplicateNames(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let name = "";
  for (const [token] of text.matchAll(tokens)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    } else if (token !== ",") name = String(JSON.parse(token)); // \u0061 is a
  }
  return false;
}
