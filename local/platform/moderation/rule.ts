import { badRequest } from "../errors/platform-error.ts";
import { choice, optionalFlag, optionalText, optionalTexts, requiredText } from "../http/fields.ts";
import { defined, isJsonObject, isStringArray, type JsonObject } from "../json.ts";

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

/** What a request may say about a rule. */
export type RuleInput = Partial<
  Pick<ModerationRule, "name" | "description" | "enabled" | "conditions" | "filters" | "action">
>;

/** Reads the fields of a rule that are there. @throws PlatformError ERR_BAD_REQUEST */
export function readRuleInput(body: JsonObject): RuleInput {
  const name = optionalText(body, "name", 100);
  const description = optionalText(body, "description");
  const enabled = optionalFlag(body, "enabled");
  const action = optionalTexts(body, "action");
  const conditions = readItems(body, "conditions", readCondition);
  const filters = readItems(body, "filters", readFilter);
  return defined({ name, description, enabled, action, conditions, filters });
}

function readItems<T>(
  body: JsonObject,
  field: string,
  read: (item: JsonObject, index: number) => T,
): T[] | undefined {
  const items = body[field];
  if (items === undefined || items === null) return undefined;
  if (!Array.isArray(items) || !items.every(isJsonObject)) {
    throw badRequest({ [field]: `The ${field} must be an array of objects.` });
  }
  if (items.length > maxItems) {
    throw badRequest({ [field]: `The ${field} may not have more than ${maxItems} items.` });
  }
  return items.map(read);
}

function readCondition(item: JsonObject, index: number): Condition {
  return {
    id: typeof item.id === "number" ? item.id : index + 1,
    isKeywordsReferencePresent: referenceFlags.some((flag) => optionalFlag(item, flag) === true),
    isMediaPresent: optionalFlag(item, "isMediaPresent") ?? false,
    entity: optionalText(item, "entity") ?? "message",
    operand: choice(item, "operand", ["text", "image", "video", "custom"]) ?? "text",
    category: optionalText(item, "category") ?? "word",
    operator: choice(item, "operator", ["contains", "equals"]) ?? "contains",
    value: readTexts(item, "value"),
    message: readTexts(item, "message"),
  };
}

function readFilter(item: JsonObject): Filter {
  const type = choice(item, "type", ["sender", "receiver"]);
  const entity = choice(item, "entity", ["user", "group"]);
  if (type === undefined || entity === undefined) {
    throw badRequest({ filters: "A filter needs type, entity, operand, operator and value." });
  }
  return {
    type,
    entity,
    operand: requiredText(item, "operand"),
    operator: requiredText(item, "operator"),
    value: requiredText(item, "value"),
  };
}

// A single text is taken too: the schema says string, all data shows an array.
function readTexts(item: JsonObject, field: string): string[] {
  const value = item[field] ?? [];
  if (typeof value === "string") return [value];
  if (!isStringArray(value)) throw badRequest({ [field]: `The ${field} must be an array of strings.` });
  return value;
}

// The three spellings in the platform's own pages (docs/platform/ids-and-limits.md#what-examples-get-wrong).
const referenceFlags = ["isKeywordsReferencePresent", "isKeywordReferencePresent", "isListReferencePresent"];

// 10 conditions and 10 filters a rule (docs/platform/moderation.md#limits-of-moderation).
const maxItems = 10;
