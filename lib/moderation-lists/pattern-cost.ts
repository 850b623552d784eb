/** Thrown for a pattern that cannot be bounded, or is none; says what to write in its place. */
export class UnsafePatternError extends Error {
  override readonly name = "UnsafePatternError";
}

/**
 * Computes how many steps a pattern can take at one place of a text, at most, backtracking included. A running pattern
 * cannot be interrupted, so its cost must be known before: quantifiers without an upper bound and references back,
 * which make it depend on the text, are refused.
 * @throws UnsafePatternError
 */
export function patternCost(pattern: string): number {
  compilePattern(pattern);
  const reader = new Reader(pattern);
  const { steps } = readAlternatives(reader);
  return steps;
}

/**
 * Makes the pattern's regular expression: in any case, by Unicode's characters.
 * @throws UnsafePatternError if it is none
 */
export function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "iu");
  } catch (error) {
    throw new UnsafePatternError(error instanceof Error ? error.message : "This is no regular expression.");
  }
}

/** In how many ways a part can match at one place, and how many steps trying them all takes. */
interface Cost {
  readonly ways: number;
  readonly steps: number;
}

/** Reads a pattern that compiles, sign by sign. */
class Reader {
  private at = 0;
  private readonly pattern: string;

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  /** Takes what the expression finds right here, if anything. */
  take(expression: RegExp): RegExpExecArray | undefined {
    const sticky = new RegExp(expression, `${expression.flags}y`);
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.pattern) ?? undefined;
    if (found !== undefined) this.at = sticky.lastIndex;
    return found;
  }

  /** Shows what the expression finds right here, and stays. */
  peek(expression: RegExp): string | undefined {
    const before = this.at;
    const found = this.take(expression);
    this.at = before;
    return found?.[0];
  }
}

const one: Cost = { ways: 1, steps: 1 };

/** A sequence, with the letter or digit that it surely begins with, if there is one. */
type Sequence = Cost & { readonly first?: string | undefined };

function readAlternatives(reader: Reader): Cost {
  const alternatives = [readSequence(reader)];
  while (reader.take(/\|/u)) alternatives.push(readSequence(reader));
  const ways = alternatives.map((alternative) => alternative.ways);
  const steps = alternatives.reduce((sum, alternative) => sum + alternative.steps + 1, 0);
  // When each begins with another letter, only one of them can match at one place.
  const firsts = new Set(alternatives.map(({ first }) => first));
  const areExclusive = firsts.size === alternatives.length && !firsts.has(undefined);
  return { ways: areExclusive ? Math.max(...ways) : ways.reduce((sum, way) => sum + way), steps };
}

function readSequence(reader: Reader): Sequence {
  const letter = reader.peek(/[a-z0-9]/iu)?.toLowerCase();
  let first: string | undefined;
  let ways = 1;
  let steps = 0;
  for (let atom = readAtom(reader); atom !== undefined; atom = readAtom(reader)) {
    const quantifier = readQuantifier(reader);
    if (steps === 0 && quantifier.min > 0) first = letter;
    const part = repeat(atom, quantifier);
    steps += ways * part.steps;
    ways *= part.ways;
  }
  return { ways, steps, first };
}

function readAtom(reader: Reader): Cost | undefined {
  if (reader.take(/\\(?:[1-9]|k<)/u)) {
    throw new UnsafePatternError(
      "References back, like \\1, are not allowed: their cost depends on the text.",
    );
  }
  const group = reader.take(/\((?<look>\?<?[=!])?(?:\?:|\?<[^>]*>|\?[a-z-]*:)?/u);
  if (group) {
    const { ways, steps } = readAlternatives(reader);
    reader.take(/\)/u);
    // A look ahead or behind is tried once; how it matched is not tried anew.
    return { ways: group.groups?.look === undefined ? ways : 1, steps: steps + 1 };
  }
  const sign = reader.take(
    /\\[pPu]\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[^|)]/u,
  );
  return sign && one;
}

function readQuantifier(reader: Reader): { min: number; max: number } {
  const found = reader.take(/(?:(?<sign>[*+?])|\{(?<min>\d+)(?<comma>,(?<max>\d*))?\})\??/u)?.groups;
  if (found === undefined) return { min: 1, max: 1 };
  const { sign, min = "", comma, max } = found;
  if (sign === "?") return { min: 0, max: 1 };
  if (sign !== undefined || max === "") {
    throw new UnsafePatternError(
      `A quantifier needs an upper bound: write {${sign === "*" ? 0 : min || 1},20} instead of ${sign ?? `{${min},}`}.`,
    );
  }
  return { min: Number(min), max: Number(comma === undefined ? min : max) };
}

function repeat({ ways, steps }: Cost, { min, max }: { min: number; max: number }): Cost {
  if (ways === 1) return { ways: max - min + 1, steps: max * steps + 1 };
  let total: Cost = { ways: min === 0 ? 1 : 0, steps: 1 };
  let branches = 1;
  for (let count = 1; count <= max && total.steps < Number.MAX_SAFE_INTEGER; count++) {
    total = { ...total, steps: total.steps + branches * steps };
    branches *= ways;
    if (count >= min) total = { ...total, ways: total.ways + branches };
  }
  return total;
}
