import type { Question } from "../questions/question.ts";
import type { ModerationList } from "./moderation-rules.ts";
import { compilePattern } from "./pattern-cost.ts";
import { createWordMatcher, normalise } from "./word-matcher.ts";

/** The list that a message matches. */
export interface ListMatch {
  readonly list: string;
  readonly confidence: number;
  readonly reason: string;
}

/**
 * Patterns look at the beginning of a text only. The platform takes about 10 kB
 * (docs/platform/ids-and-limits.md#size-of-messages).
 */
const maxPatternCharacters = 16_000;

/**
 * Makes a pure function that finds the list of the most confidence which a message matches, if any. Words and patterns
 * are prepared once.
 */
export function createListMatcher(
  lists: readonly ModerationList[],
): (question: Question) => ListMatch | undefined {
  const prepared = lists
    .map((list) => ({ ...list, matches: createTextMatcher(list) }))
    .toSorted((left, right) => right.confidence - left.confidence);

  return (question) => {
    const own = normalise(question.message.data?.text ?? "");
    const joined = normalise(joinedText(question));
    const found = prepared.find(
      (list) => isInLanguage(list.language, question.language) && list.matches(list.joined ? joined : own),
    );
    if (found === undefined) return undefined;
    const { name, confidence, reason = `Matches the list “${name}”.` } = found;
    return { list: name, confidence, reason };
  };
}

function createTextMatcher({ words, patterns }: ModerationList): (normalised: string) => boolean {
  const hasWord = createWordMatcher(words);
  const expressions = patterns.map(compilePattern);
  return (text) => {
    const beginning = text.slice(0, maxPatternCharacters);
    return hasWord(text) || expressions.some((expression) => expression.test(beginning));
  };
}

/** Unless both are known and differ, a list applies. */
function isInLanguage(listed: string | undefined, spoken: string | undefined): boolean {
  return listed === undefined || spoken === undefined || spoken.toLowerCase().split(/[-_]/)[0] === listed;
}

/** The message, behind what its sender said right before it. */
function joinedText({ message, context }: Question): string {
  const others = context.findLastIndex(({ uid }) => uid !== message.sender);
  return [...context.slice(others + 1).map(({ text }) => text), message.data?.text ?? ""].join(" ");
}
