import { compilePattern } from "../../base/compile-pattern.ts";
import { lazy } from "../../base/lazy.ts";
import type { Settings } from "../../chat/settings-from.ts";
import type { Decide } from "../questions/answer-question.ts";
import type { Question } from "../questions/question.ts";
import type { ModerationList, ModerationRules } from "./moderation-rules.ts";
import { createWordMatcher, type SplitText, splitText } from "./word-matcher.ts";

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
const searchesOfJoined = 4;

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
  const instructions = prepared
    .flatMap(({ compiled, joined }) => compiled.map(({ size }) => (joined ? searchesOfJoined : 1) * size))
    .reduce((sum, size) => sum + size, 1);
  const maxCharacters = Math.floor(maxPatternWork / instructions);

  return (question) => {
    const own = splitText(question.message.data?.text ?? "");
    const before = lazy(() => textsBefore(question).map(splitText));
    const spoken = question.language?.toLowerCase().split(/[-_]/)[0];
    const found = prepared.find(({ language, joined: isJoined, hasWord, compiled }) => {
      if (language !== undefined && spoken !== undefined && language !== spoken) return false;
      const isIn = (split: SplitText) => {
        const end = split.text.slice(-maxCharacters);
        return hasWord(split) || compiled.some((pattern) => pattern.test(end));
      };
      if (isIn(own)) return true;
      if (!isJoined) return false;
      // What matches alone, or without this message, was judged before it.
      const unjudged = before().filter((text) => !isIn(text));
      return isIn(join([...unjudged, own])) && !isIn(join(unjudged));
    });
    if (found === undefined) return undefined;
    const { name, confidence, reason = `Matches the list “${name}”.` } = found;
    return { list: name, confidence, reason };
  };
}

const maxCharactersBefore = 2_000;

/** What its sender wrote right before it. */
function textsBefore({ message, context, areUidsDoubtful = false }: Question) {
  if (areUidsDoubtful) return [];
  const others = context.findLastIndex(({ uid }) => uid !== message.sender);
  return context.slice(others + 1).map(({ text }) => text.slice(-maxCharactersBefore));
}

function join(texts: readonly SplitText[]): SplitText {
  return {
    text: texts.map(({ text }) => text).join(" "),
    parts: texts.flatMap(({ parts }) => parts),
  };
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
