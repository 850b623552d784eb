import { isJsonObject, isStringArray, type JsonObject } from "../json.ts";

/**
 * Describes one condition of a rule. `value` holds words, regular expressions, ids of keyword lists (then
 * `isKeywordsReferencePresent`), or labels such as `toxicity_greaterThan_70`.
 * @see docs/platform/moderation.md#conditions
 */
export type Condition = {
  id: number;
  isKeywordsReferencePresent: boolean;
  isMediaPresent: boolean;
  entity: string;
  operand: string;
  category: string;
  operator: string;
  value: string[];
  message: string[];
};

/** Describes one filter: to whom a rule applies. @see docs/platform/moderation.md#filters */
export type Filter = {
  type: "sender" | "receiver";
  entity: "user" | "group";
  operand: string;
  operator: string;
  value: string;
};

/** Describes a rule; of its revisions exactly one is active. Timestamps are unix seconds. */
export type ModerationRule = {
  id: string;
  name: string;
  description?: string;
  enabled: boolean;
  conditions: Condition[];
  filters?: Filter[];
  action: string[];
  active: boolean;
  createdAt: number;
  updatedAt: number;
  revisionId: string;
  default?: boolean;
};

/** Describes a keyword list. `disallowedSentences` belongs to the category sentence-similarity. */
export type KeywordList = {
  id: string;
  name: string;
  description?: string;
  category: string;
  isCSV: boolean;
  searchTerms: string[];
  disallowedSentences?: string[];
  createdAt: number;
  updatedAt: number;
  revisionId: string;
  active: boolean;
  default?: boolean;
};

/** Recognises a stored rule. */
export function isRule(value: unknown): value is ModerationRule & JsonObject {
  return isJsonObject(value) && typeof value.revisionId === "string" && Array.isArray(value.conditions);
}

/** Recognises a stored keyword list. */
export function isKeywordList(value: unknown): value is KeywordList & JsonObject {
  return isJsonObject(value) && typeof value.category === "string" && isStringArray(value.searchTerms);
}

/** Splits `spam-detection_greaterThan_50` into its label and its number; without a number `percent` is undefined. */
export function readThreshold(value: string): { label: string; percent: number | undefined } {
  const match = /^(.+)_greaterThan_(\d{1,3}(?:\.\d+)?)$/.exec(value);
  return { label: match?.[1] ?? value, percent: match === null ? undefined : Number(match[2]) };
}
