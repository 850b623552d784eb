import { badRequest } from "../errors/failures.ts";
import { choice, optionalFlag, optionalText, optionalTexts, requiredText } from "../http/fields.ts";
import { isJsonObject, isStringArray, type JsonObject } from "../json.ts";
import type { Condition, Filter, ModerationRule } from "./rule.ts";

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
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(action === undefined ? {} : { action }),
    ...(conditions === undefined ? {} : { conditions }),
    ...(filters === undefined ? {} : { filters }),
  };
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
