/** One value, one of several, or none of those in `not`. */
export type OneOf<Value extends string = string> =
  | Value
  | readonly Value[]
  | { readonly not: Value | readonly Value[] };

/** With `not`, true if none matches. An empty list matches only `not`. */
export function fitsOneOf(
  values: readonly string[],
  wanted: OneOf,
  isLike: (value: string, wanted: string) => boolean = (value, one) => value === one,
): boolean {
  const isNot = typeof wanted === "object" && "not" in wanted;
  const list = isNot ? wanted.not : wanted;
  const ones = typeof list === "string" ? [list] : list;
  return isNot !== values.some((value) => ones.some((one) => isLike(value, one)));
}

/** The platform lowers ids (docs/internals/platform/ids-and-limits.md#chosen-ids). */
export function isSameId(id: string, other: string): boolean {
  return id.toLowerCase() === other.toLowerCase();
}

/** `*` stands for any characters; ids contain none. Takes time in proportion to the id. */
export function isLikeGlob(id: string, glob: string): boolean {
  const [first = "", ...others] = glob.toLowerCase().split("*");
  const text = id.toLowerCase();
  const last = others.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  let from = first.length;
  const end = text.length - last.length;
  for (const part of others) {
    const found = text.indexOf(part, from);
    if (found === -1 || found + part.length > end) return false;
    from = found + part.length;
  }
  return true;
}
