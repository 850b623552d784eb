import { compilePattern } from "../../base/compile-pattern.ts";
import { lazy } from "../../base/lazy.ts";
import type { Settings } from "../../chat/settings-from.ts";
import type { Decide } from "../questions/answer-question.ts";
import type { Question } from "../questions/question.ts";
import type { ModerationList, ModerationRules } from "./moderation-rules.ts";
import { createWordMatcher, normalise } from "./word-matcher.ts";

interface ListMatch {
  readonly list: string;
  readonly confidence: number;
  readonly reason: string;
}

/**
 * Characters times instructions: the longest text with the largest patterns
 * (docs/internals/decisions.md#patterns).
 */
const maxPatternWork = 16_000_000;

export function createListMatcher(
  lists: readonly ModerationList[],
): (question: Question) => ListMatch | undefined {
  const prepared = lists
    .map((list) => ({
      ...list,
      hasWord: createWordMatcher(list.words),
      compiled: list.patterns.map(compilePattern),
    }))
    .toSorted((left, right) => right.confidence - left.confidence);
  const instructions = prepared.flatMap(({ compiled }) => compiled).reduce((sum, { size }) => sum + size, 1);
  const maxCharacters = Math.floor(maxPatternWork / instructions);

  return (question) => {
    const own = lazy(() => normalise(question.message.data?.text ?? ""));
    const joined = lazy(() => normalise(joinedText(question)));
    const spoken = question.language?.toLowerCase().split(/[-_]/)[0];
    const found = prepared.find(({ language, joined: isJoined, hasWord, compiled }) => {
      if (language !== undefined && spoken !== undefined && language !== spoken) return false;
      const text = isJoined && !question.areUidsDoubtful && question.context.length > 0 ? joined() : own();
      const end = text.slice(-maxCharacters);
      return hasWord(text) || compiled.some((pattern) => pattern.test(end));
    });
    if (found === undefined) return undefined;
    const { name, confidence, reason = `Matches the list “${name}”.` } = found;
    return { list: name, confidence, reason };
  };
}

/** After what its sender wrote right before it. */
function joinedText({ message, context }: Question) {
  const others = context.findLastIndex(({ uid }) => uid !== message.sender);
  return [...context.slice(others + 1).map(({ text }) => text), message.data?.text ?? ""].join(" ");
}

export function byLists<Answer>(
  settings: Settings<ModerationRules>,
  answer: (found: ListMatch | undefined, rules: ModerationRules) => Answer,
): () => Decide<Answer> {
  return () => {
    const matchers = settings.map(({ lists }) => createListMatcher(lists));
    matchers.of(undefined); // at cold start, so that the first sender does not wait for it
    return (question, { appId }) => answer(matchers.of(appId)(question), settings.of(appId));
  };
}
