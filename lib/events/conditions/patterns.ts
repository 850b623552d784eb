import { OwnError } from "../../base/errors.ts";

/** A pattern as plain data; `textPattern` creates it. */
export interface TextPattern {
  readonly pattern: string;
}

export class UnknownPatternError extends OwnError {
  override readonly name = "UnknownPatternError";

  constructor() {
    super(
      'This function has nothing that finds patterns. Write text: textPattern("…"), imported from lib/events/conditions/text-pattern.ts.',
    );
  }
}

/** Takes a text in compatible form (lib/events/conditions/contains-word.ts). */
export type FindPattern = (text: string) => boolean;

/** Code has few patterns; a flow may create more. */
const mostKept = 200;

const kept = new Map<string, FindPattern>();
let compile: ((pattern: string) => FindPattern) | undefined;

/**
 * Called by text-pattern.ts when loaded: only functions with patterns bundle the engine, a third of a bundle.
 */
export function useCompiler(compiler: (pattern: string) => FindPattern): void {
  compile = compiler;
}

/** @throws UnknownPatternError, and the compiler's errors */
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
