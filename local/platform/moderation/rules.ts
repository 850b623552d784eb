import { ensureField, found, requireRoom } from "../errors/platform-error.ts";
import {
  choice,
  optionalFlag,
  optionalText,
  optionalTexts,
  readFields,
  requiredText,
  text,
} from "../http/fields.ts";
import { type AppRequest, acknowledge, appFamily, readLimit, replyLimited } from "../http/route.ts";
import { isStringArray, type JsonObject, objectsOf } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import {
  deleteRule,
  findRule,
  listRevisions,
  listRules,
  type ModerationRule,
  nextRevisionId,
  putRule,
} from "./moderation-store.ts";

const ruleFields = {
  name: text(100),
  description: text(255),
  enabled: optionalFlag,
  action: readActions,
  conditions: itemsBy(readCondition),
  filters: itemsBy(readFilter),
};

export const ruleRoutes = appFamily({
  "create-rule"(request) {
    const input = readFields(request.body, ruleFields);
    const name = requiredText(request.body, "name", 100);
    const id = readNewId(optionalText(request.body, "id"), name);
    ensureField(findRule(request, id) === undefined, "id", `The rule with id ${id} already exists.`);
    const custom = listRules(request).filter((rule) => rule.default !== true);
    requireRoom(custom.length, "custom rules", maxCustomRules);
    const at = nowSeconds(request);
    const rule: ModerationRule = {
      id,
      ...initialFields,
      ...input,
      name,
      active: true,
      createdAt: at,
      updatedAt: at,
      revisionId: nextRevisionId(request.appId, id, undefined),
    };
    putRule(request, rule);
    return rule;
  },
  "list-rules"(request) {
    const limit = readLimit(request.query, 50);
    return replyLimited(listRules(request).slice(0, limit), limit);
  },
  "get-rule": requireRule,
  "update-rule"(request) {
    const rule = requireRule(request);
    const { description: _, filters: _filters, ...lasting } = rule;
    const before = request.switches.ruleChanges === "merge" ? rule : { ...lasting, ...initialFields };
    const changed: ModerationRule = {
      ...before,
      ...readFields(request.body, ruleFields),
      updatedAt: nowSeconds(request),
      revisionId: nextRevisionId(request.appId, rule.id, rule.revisionId),
    };
    putRule(request, changed);
    return changed;
  },
  "delete-rule"(request) {
    const { id } = requireRule(request);
    deleteRule(request, id);
    return acknowledge(`Rule with id ${id} has been deleted successfully.`);
  },
  "list-rule-revisions"(request) {
    return replyLimited(listRevisions(request, requireRule(request).id).reverse());
  },
});

/** Makes the id from the name by default. */
export function readNewId(given: string | undefined, name: string): string {
  const id = given ?? name.trim().toLowerCase().replaceAll(/\s+/g, "-");
  ensureField(/^[^\s/]{1,100}$/u.test(id), "id", "The id must have 1 to 100 characters and no spaces.");
  return id;
}

const initialFields = { enabled: true, conditions: [], action: ["blockMessage"] };

function requireRule(request: AppRequest) {
  const id = request.param("ruleId");
  return found(findRule(request, id), "ERR_RULE_NOT_FOUND", `The rule with id ${id} does not exist.`);
}

// @see docs/internals/platform/moderation.md#limits-of-moderation
const maxCustomRules = 25;

function itemsBy<T>(read: (item: JsonObject, index: number) => T) {
  return (body: JsonObject, field: string) => {
    if (body[field] === undefined || body[field] === null) return undefined;
    const items = objectsOf(body[field]);
    ensureField(items.length <= maxItems, field, `The ${field} may not have more than ${maxItems} items.`);
    return items.map(read);
  };
}

function readCondition(item: JsonObject, index: number) {
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

function readFilter(item: JsonObject) {
  const type = choice(item, "type", ["sender", "receiver"]);
  const entity = choice(item, "entity", ["user", "group"]);
  ensureField(
    type !== undefined && entity !== undefined,
    "filters",
    "A filter needs type, entity, operand, operator and value.",
  );
  return {
    type,
    entity,
    operand: requiredText(item, "operand"),
    operator: requiredText(item, "operator"),
    value: requiredText(item, "value"),
  };
}

function readActions(body: JsonObject, field: string) {
  const names = optionalTexts(body, field);
  ensureField(
    names === undefined || (names.length > 0 && names.every((name) => actions.includes(name))),
    field,
    `The ${field} must hold one or more of: ${actions.join(", ")}.`,
  );
  return names;
}

// The schema has a string, all data an array.
function readTexts(item: JsonObject, field: string) {
  const value = item[field] ?? [];
  if (typeof value === "string") return [value];
  ensureField(isStringArray(value), field, `The ${field} must be an array of strings.`);
  return value;
}

// @see docs/internals/platform/moderation.md#rules
const actions = ["blockMessage", "flagMessage", "kick", "ban", "block", "deactivate", "dropMessage"];

// @see docs/internals/platform/ids-and-limits.md#what-examples-get-wrong
const referenceFlags = ["isKeywordsReferencePresent", "isKeywordReferencePresent", "isListReferencePresent"];

const maxItems = 10;
