/** A pattern to look for in a text, as plain data; `textPattern` makes it. */
export interface TextPattern {
  readonly pattern: string;
}

/** Thrown where a pattern is to be looked for, and nothing that was loaded knows how. */
export class UnknownPatternError extends Error {
  override readonly name = "UnknownPatternError";

  constructor() {
    super(
      'This function has nothing that finds patterns. Write text: textPattern("…"), imported from lib/events/conditions/text-pattern.ts.',
    );
  }
}

/** Tells whether a text in compatible form (lib/base/compatible-text.ts) holds a pattern. */
export type FindPattern = (text: string) => boolean;

/** Patterns that are kept ready: those of the code are few, and a flow may make some of its own. */
const mostKept = 200;

const kept = new Map<string, FindPattern>();
let compile: ((pattern: string) => FindPattern) | undefined;

/**
 * Says how patterns are made ready. lib/events/conditions/text-pattern.ts does when it is loaded, so that what finds patterns,
 * a third of a function's bundle, is only in those that use some.
 */
export function useCompiler(compiler: (pattern: string) => FindPattern): void {
  compile = compiler;
}

/**
 * Gives what looks for a pattern; made once.
 * @throws UnknownPatternError, and what the compiler throws
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
