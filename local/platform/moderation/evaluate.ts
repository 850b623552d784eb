import type { JsonObject } from "../json.ts";
import type { Group } from "../store/groups.ts";
import type { Message } from "../store/messages.ts";
import type { User } from "../store/users.ts";
import {
  type Condition,
  type Filter,
  type KeywordList,
  type ModerationRule,
  readThreshold,
} from "./moderation-store.ts";

/** @param percent the confidence to exceed */
export type CustomQuestion = {
  rule: ModerationRule;
  condition: Condition;
  listId: string;
  percent: number;
};

/** `isBlocking`: the rule's action runs without an answer (drop-message). */
export type CustomAnswer =
  | { kind: "answered"; isMatchingCondition: boolean; confidence: number }
  | { kind: "failed"; isBlocking: boolean; failure: JsonObject };

type Evaluation = {
  rules: readonly ModerationRule[];
  lists: ReadonlyMap<string, KeywordList>;
  message: Message;
  parties: Parties;
  ask: (question: CustomQuestion) => Promise<CustomAnswer>;
  nowSeconds: number;
};

export type Judgement = {
  isJudged: boolean;
  matched: ModerationRule[];
  blocking: { rule: ModerationRule; condition: Condition } | undefined;
  entries: JsonObject[];
  failures: JsonObject[];
};

/**
 * Tries rules until one blocks. One matching condition suffices (assumed); skips a rule whose filters do not
 * all fit, with an entry for the first.
 * @see docs/internals/platform/moderation.md#what-events-say-of-a-decision
 * @see docs/internals/platform/moderation.md#custom-api
 */
export async function evaluateRules(evaluation: Evaluation): Promise<Judgement> {
  const judgement: Judgement = {
    isJudged: false,
    matched: [],
    blocking: undefined,
    entries: [],
    failures: [],
  };
  for (const rule of evaluation.rules) {
    if (!rule.enabled || !rule.active) continue;
    const conditions = rule.conditions.filter((condition) => looksAt(condition, evaluation.message));
    if (conditions.length === 0) continue;
    judgement.isJudged = true;
    const condition = await firstMatch(evaluation, rule, conditions, judgement.failures);
    if (condition === undefined) continue;
    const filter = rule.filters?.find((item) => !matchesFilter(item, evaluation.parties));
    if (filter !== undefined) {
      judgement.entries.push({ filter, rule: ruleEntry(rule) });
      continue;
    }
    judgement.matched.push(rule);
    const isBlocking = rule.action.some((action) => blockingActions.includes(action));
    judgement.entries.push({
      condition: { ...condition, message: condition.message.join(" ") },
      rule: { ...ruleEntry(rule), ...(isBlocking && { blockedAt: evaluation.nowSeconds }) },
    });
    if (!isBlocking) continue;
    judgement.blocking = { rule, condition };
    return judgement;
  }
  return judgement;
}

async function firstMatch(
  evaluation: Evaluation,
  rule: ModerationRule,
  conditions: Condition[],
  failures: JsonObject[],
) {
  for (const condition of conditions) {
    const isMatch =
      condition.category === customCategory
        ? await asksToBlock(evaluation, rule, condition, failures)
        : matchesText(condition, textUnderTest(evaluation.message), evaluation.lists);
    if (isMatch) return condition;
  }
  return undefined;
}

async function asksToBlock(
  { ask }: Evaluation,
  rule: ModerationRule,
  condition: Condition,
  failures: JsonObject[],
) {
  for (const value of condition.value) {
    const { label: listId, percent = 0 } = readThreshold(value);
    const answer = await ask({ rule, condition, listId, percent });
    if (answer.kind === "failed") failures.push(answer.failure);
    const isMatch =
      answer.kind === "failed"
        ? answer.isBlocking
        : answer.isMatchingCondition && answer.confidence * 100 > percent;
    if (isMatch) return true;
  }
  return false;
}

function looksAt(condition: Condition, message: Message) {
  if (message.category === "custom") return condition.operand === "custom" || condition.operand === "text";
  if (message.category !== "message") return false;
  if (condition.operand === "text") return typeof message.data.text === "string";
  return condition.operand === message.type;
}

function textUnderTest({ category, data }: Message) {
  if (category === "custom") return JSON.stringify(data.customData ?? {});
  return typeof data.text === "string" ? data.text : "";
}

function ruleEntry({ id, name, revisionId, action }: ModerationRule) {
  return { id, name, revisionId, action };
}

const customCategory = "custom-api";
const blockingActions = ["blockMessage", "dropMessage"];

/** Never matches categories that need the platform's models (assumed). */
export function matchesText(
  condition: Condition,
  text: string,
  lists: ReadonlyMap<string, KeywordList>,
): boolean {
  return termsOf(condition, lists).some(({ category, term, percent }) => {
    if (category === "word") return matchesWord(text, term, condition.operator);
    if (category === "pattern") {
      return compile(condition.operator === "equals" ? `^(?:${term})$` : term)?.test(text) ?? false;
    }
    if (category === "sentence-similarity") return similarityPercent(text, term) > (percent ?? 0);
    return false;
  });
}

/** Returns the share of common words (Dice): the platform's model is undocumented. */
export function similarityPercent(left: string, right: string): number {
  const leftWords = wordsOf(left);
  const rightWords = wordsOf(right);
  const size = leftWords.size + rightWords.size;
  if (size === 0) return 0;
  const shared = [...leftWords].filter((word) => rightWords.has(word)).length;
  return (200 * shared) / size;
}

function termsOf(condition: Condition, lists: ReadonlyMap<string, KeywordList>) {
  return condition.value.flatMap((value) => {
    if (!condition.isKeywordsReferencePresent)
      return [{ category: condition.category, term: value, percent: undefined }];
    const { label, percent } = readThreshold(value);
    const list = lists.get(value) ?? lists.get(label);
    if (list === undefined) return [];
    const terms = list.category === "sentence-similarity" ? list.disallowedSentences : list.searchTerms;
    return (terms ?? []).map((term) => ({ category: list.category, term, percent }));
  });
}

// Compares whole words in any case (assumed).
function matchesWord(text: string, word: string, operator: string) {
  const wanted = fold(word);
  if (wanted === "") return false;
  const searched = fold(text);
  if (operator === "equals") return searched === wanted;
  for (let at = searched.indexOf(wanted); at !== -1; at = searched.indexOf(wanted, at + 1)) {
    const isBounded =
      !isWordPart(searched.slice(0, at), "end") && !isWordPart(searched.slice(at + wanted.length), "start");
    if (isBounded) return true;
  }
  return false;
}

// An invalid pattern matches nothing. `\p{…}` needs Unicode mode.
function compile(pattern: string) {
  for (const flags of ["iu", "i"]) {
    try {
      return new RegExp(pattern, flags);
    } catch {}
  }
  return undefined;
}

function isWordPart(rest: string, edge: "start" | "end") {
  return (edge === "start" ? /^[\p{L}\p{N}_]/u : /[\p{L}\p{N}_]$/u).test(rest);
}

function wordsOf(sentence: string) {
  return new Set(fold(sentence).match(/[\p{L}\p{N}]+/gu) ?? []);
}

function fold(text: string) {
  return text.normalize("NFC").trim().toLowerCase();
}

export type Parties = { sender: User; receiver: Party };

type Party = { user?: User; group?: Group };

/** A group filter never fits a message to a user, and vice versa (assumed). */
export function matchesFilter(filter: Filter, parties: Parties): boolean {
  const party = partyOf(filter, parties);
  if (party === undefined) return false;
  const matches = operators[filter.operator.replaceAll(" ", "").toLowerCase()];
  return matches?.(valuesOf(party, filter.operand), filter.value.trim()) ?? false;
}

const operators: Record<string, (values: string[], wanted: string) => boolean> = {
  equals: (values, wanted) => values.includes(wanted),
  notequals: (values, wanted) => !values.includes(wanted),
  in: (values, wanted) => values.some((value) => listed(wanted).includes(value)),
  notin: (values, wanted) => !values.some((value) => listed(wanted).includes(value)),
  startswith: (values, wanted) => values.some((value) => value.startsWith(wanted)),
  endswith: (values, wanted) => values.some((value) => value.endsWith(wanted)),
  lessthan: (values, wanted) => values.some((value) => Number(value) < Number(wanted)),
  greaterthan: (values, wanted) => values.some((value) => Number(value) > Number(wanted)),
};

function listed(wanted: string) {
  return wanted.split(",").map((item) => item.trim());
}

function partyOf({ type, entity }: Filter, { sender, receiver }: Parties) {
  const party: Party = type === "sender" ? { user: sender } : receiver;
  return party[entity];
}

function valuesOf(party: User | Group, operand: string) {
  if (operand === "tags") return party.tags ?? [];
  const value = Object.entries(party).find(([field]) => field === operand)?.[1];
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}
