import { OwnError } from "../../base/own-error.ts";

/** A pattern to find in a text, as plain data. `textPattern` creates it. */
export interface TextPattern {
  readonly pattern: string;
}

/** Thrown if an event is checked against a pattern and no loaded module can compile it. */
export class UnknownPatternError extends OwnError {
  override readonly name = "UnknownPatternError";

  constructor() {
    super(
      'This function has nothing that finds patterns. Write text: textPattern("…"), imported from lib/events/conditions/text-pattern.ts.',
    );
  }
}

/** Returns true if a text in compatible form (lib/base/compatible-text.ts) contains the pattern. */
export type FindPattern = (text: string) => boolean;

/** Cache size. Code has few patterns; a flow may create more. */
const mostKept = 200;

const kept = new Map<string, FindPattern>();
let compile: ((pattern: string) => FindPattern) | undefined;

/**
 * Sets the compiler of patterns. lib/events/conditions/text-pattern.ts calls it when loaded, so that only
 * functions with patterns bundle the pattern engine, which is a third of a bundle.
 */
export function useCompiler(compiler: (pattern: string) => FindPattern): void {
  compile = compiler;
}

/**
 * Returns the compiled pattern, from the cache if possible.
 * @throws UnknownPatternError, and the compiler's errors
 */
export function patternIn({ pattern }: TextPattern): FindPattern {
  const found = kept.get(pattern);
  if (found !== undefined) return found;
  if (compile === undefined) throw new UnknownPatternError();
  const made = compile(pattern);
  const [oldest] = kept.keys();
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
  kept.set(pattern, made);
  return made;
}
