import type { JsonObject } from "../json.ts";
import type { Message } from "../store/messages.ts";
import { matchesFilter, matchesText, type Parties } from "./match-text.ts";
import { type Condition, type KeywordList, type ModerationRule, readThreshold } from "./rule.ts";

/** What a customer's moderation service is asked. `listId` names it, `percent` is the confidence it has to exceed. */
export type CustomQuestion = {
  rule: ModerationRule;
  condition: Condition;
  listId: string;
  percent: number;
};

/**
 * What came of asking. `failed` holds the failure as the event moderation_engine_failed tells it; with `isBlocking`
 * the rule's action runs although there was no answer (the setting drop-message), else there is no match.
 */
export type CustomAnswer =
  | { kind: "answered"; isMatchingCondition: boolean; confidence: number }
  | { kind: "failed"; isBlocking: boolean; failure: JsonObject };

/** What a message is judged by. */
export type Evaluation = {
  rules: readonly ModerationRule[];
  lists: ReadonlyMap<string, KeywordList>;
  message: Message;
  parties: Parties;
  ask: (question: CustomQuestion) => Promise<CustomAnswer>;
  nowSeconds: number;
};

/** What the rules say. `isJudged` is false when no rule looks at messages of this kind. */
export type Judgement = {
  isJudged: boolean;
  blocking: { rule: ModerationRule; condition: Condition } | undefined;
  /** What becomes `data.moderation` of the events. */
  entries: JsonObject[];
  failures: JsonObject[];
};

/**
 * Judges a message by the rules in order. One matching condition is enough (assumed); a rule whose filters do not all
 * fit is passed over and leaves an entry with the first such filter. The first rule that blocks ends it.
 * @see docs/platform/moderation.md#what-events-say-of-a-decision, docs/platform/moderation.md#custom-api
 */
export async function evaluateRules(evaluation: Evaluation): Promise<Judgement> {
  const judgement: Judgement = { isJudged: false, blocking: undefined, entries: [], failures: [] };
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
    if (!rule.action.some((action) => blockingActions.includes(action))) continue;
    judgement.entries.push({
      condition: { ...condition, message: condition.message.join(" ") },
      rule: { ...ruleEntry(rule), blockedAt: evaluation.nowSeconds },
    });
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
): Promise<Condition | undefined> {
  for (const condition of conditions) {
    const isMatch =
      condition.category === customCategory
        ? await asksToBlock(evaluation, rule, condition, failures)
        : matchesText(condition, textOf(evaluation.message), evaluation.lists);
    if (isMatch) return condition;
  }
  return undefined;
}

async function asksToBlock(
  { ask }: Evaluation,
  rule: ModerationRule,
  condition: Condition,
  failures: JsonObject[],
): Promise<boolean> {
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

// "Text" conditions also look at custom messages, as their printed description says.
function looksAt(condition: Condition, message: Message): boolean {
  if (message.category === "custom") return condition.operand === "custom" || condition.operand === "text";
  if (message.category !== "message") return false;
  if (condition.operand === "text") return typeof message.data.text === "string";
  return condition.operand === message.type;
}

function textOf({ category, data }: Message): string {
  if (category === "custom") return JSON.stringify(data.customData ?? {});
  return typeof data.text === "string" ? data.text : "";
}

function ruleEntry({ id, name, revisionId, action }: ModerationRule): JsonObject {
  return { id, name, revisionId, action };
}

// The category that asks a customer's service, as in the printed moderation_engine_failed.
const customCategory = "custom-api";
const blockingActions = ["blockMessage", "dropMessage"];
