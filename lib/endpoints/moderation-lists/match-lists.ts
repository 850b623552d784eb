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
/** Of all earlier texts together. */
const maxCharactersBefore = 500;

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
  const maxCharacters = longestSearched(prepared);

  return (question) => {
    const own = splitText(question.message.data?.text ?? "");
    const before = lazy(() => textsBefore(question));
    const spoken = question.language?.toLowerCase().split(/[-_]/)[0];
    const found = prepared.find(({ language, joined: isJoined, hasWord, compiled }) => {
      if (language !== undefined && spoken !== undefined && language !== spoken) return false;
      const isIn = (split: SplitText) => {
        const end = split.text.slice(-maxCharacters);
        return hasWord(split) || compiled.some((pattern) => pattern.test(end));
      };
      if (isIn(own)) return true;
      if (!isJoined) return false;
      const open = openTexts(before(), isIn);
      return open.length > 0 && isIn(join([...open, own]));
    });
    if (found === undefined) return undefined;
    const { name, confidence, reason = `Matches the list “${name}”.` } = found;
    return { list: name, confidence, reason };
  };
}

interface Searched {
  readonly joined?: boolean | undefined;
  readonly compiled: readonly { readonly size: number }[];
}

function longestSearched(lists: readonly Searched[]) {
  const sizeOf = (some: readonly Searched[]) =>
    some.flatMap(({ compiled }) => compiled).reduce((sum, { size }) => sum + size, 0);
  const ofJoined = sizeOf(lists.filter(({ joined }) => joined));
  const left = maxPatternWork - ofJoined * maxCharactersBefore * 12;
  return Math.floor(left / (sizeOf(lists) + ofJoined + 1));
}

/** Earlier texts without those that matched, alone or together, before this message came. */
function openTexts(texts: readonly SplitText[], isIn: (split: SplitText) => boolean) {
  let open: readonly SplitText[] = [];
  for (const text of texts) {
    if (isIn(text)) continue;
    open = [...open, text];
    if (isIn(join(open))) open = [text];
  }
  return open;
}

/** What its sender wrote right before it. */
function textsBefore({ message, context, areUidsDoubtful = false }: Question) {
  const others = context.findLastIndex(({ uid }) => uid !== message.sender);
  const texts: SplitText[] = [];
  let left = areUidsDoubtful ? 0 : maxCharactersBefore;
  for (const { text } of context.slice(others + 1).toReversed()) {
    if (left === 0) break;
    const split = splitText(text, left);
    texts.unshift(split);
    left -= split.text.length;
  }
  return texts;
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
