import { badRequest, limitReached } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { limitMeta } from "../http/cursor.ts";
import { optionalText, requiredText } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import {
  deleteRule,
  findRule,
  listRevisions,
  listRules,
  nextRevisionId,
  putRule,
} from "./moderation-store.ts";
import type { ModerationRule } from "./rule.ts";
import { readRuleInput } from "./rule-input.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/moderation.md#rules",
  onBehalfOf: "unsupported",
} as const;
const many = "/moderation/rules";
const one = "/moderation/rules/{ruleId}";

/** Declares the moderation rule family. */
export const ruleRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "create-rule",
    method: "POST",
    path: many,
    assumptions: [
      "Without id it is made from the name; a duplicate id is refused with ERR_BAD_REQUEST.",
      "A rule is enabled and blocks unless the request says otherwise.",
      "One matching condition is enough; all filters have to fit.",
      "Conditions that need the platform's models (toxicity, image labels) never match.",
    ],
    handler: create,
  },
  { ...base, operationId: "list-rules", method: "GET", path: many, handler: list },
  {
    ...base,
    operationId: "get-rule",
    method: "GET",
    path: one,
    handler: (request) => reply(requireRule(request)),
  },
  {
    ...base,
    operationId: "update-rule",
    input: {
      body: { id: "string" },
      needs: { any: ["name", "enabled", "description", "action", "filters", "conditions"] },
    },
    method: "PUT",
    path: one,
    assumptions: ["Fields that are absent keep their value; the id cannot be changed."],
    handler: update,
  },
  {
    ...base,
    operationId: "delete-rule",
    method: "DELETE",
    path: one,
    assumptions: ["Built-in rules can be deleted."],
    handler: remove,
  },
  {
    ...base,
    operationId: "list-rule-revisions",
    method: "GET",
    path: `${one}/revisions`,
    handler: revisions,
  },
];

/** Reads the `limit` of a moderation list, from 1 to 1000. */
export function readLimit(request: AppRequest, fallback: number): number {
  const limit = request.query.integer("limit") ?? fallback;
  if (limit < 1 || limit > 1_000) throw badRequest({ limit: "The limit must be between 1 and 1000." });
  return limit;
}

/** Reads the id of a new rule or list: given, or made from the name. At most 100 characters, no spaces. */
export function readNewId(given: string | undefined, name: string): string {
  const id = given ?? name.trim().toLowerCase().replaceAll(/\s+/g, "-");
  if (!/^[^\s/]{1,100}$/u.test(id)) {
    throw badRequest({ id: "The id must have 1 to 100 characters and no spaces." });
  }
  return id;
}

function create(request: AppRequest): Reply {
  const { appId } = request.app;
  const input = readRuleInput(request.body);
  const name = requiredText(request.body, "name", 100);
  const id = readNewId(optionalText(request.body, "id"), name);
  if (findRule(request.db, appId, id) !== undefined) {
    throw badRequest({ id: `The rule with id ${id} already exists.` });
  }
  const custom = listRules(request.db, appId).filter((rule) => rule.default !== true);
  if (custom.length >= maxCustomRules) throw limitReached("custom rules", maxCustomRules);
  const at = nowSeconds(request);
  const rule: ModerationRule = {
    id,
    enabled: true,
    conditions: [],
    action: ["blockMessage"],
    ...input,
    name,
    active: true,
    createdAt: at,
    updatedAt: at,
    revisionId: nextRevisionId(appId, id, undefined),
  };
  putRule(request.db, appId, rule);
  return reply(rule);
}

function list(request: AppRequest): Reply {
  const limit = readLimit(request, 50);
  const rules = listRules(request.db, request.app.appId).slice(0, limit);
  return reply(rules, { meta: limitMeta(limit, rules.length) });
}

function update(request: AppRequest): Reply {
  const rule = requireRule(request);
  const changed: ModerationRule = {
    ...rule,
    ...readRuleInput(request.body),
    updatedAt: nowSeconds(request),
    revisionId: nextRevisionId(request.app.appId, rule.id, rule.revisionId),
  };
  putRule(request.db, request.app.appId, changed);
  return reply(changed);
}

function remove(request: AppRequest): Reply {
  const { id } = requireRule(request);
  deleteRule(request.db, request.app.appId, id);
  return acknowledge(`Rule with id ${id} has been deleted successfully.`);
}

function revisions(request: AppRequest): Reply {
  const found = listRevisions(request.db, request.app.appId, requireRule(request).id).reverse();
  // The example's limit is 10; no parameter changes it.
  return reply(found, { meta: limitMeta(Math.max(10, found.length), found.length) });
}

function requireRule(request: AppRequest): ModerationRule {
  const id = request.param("ruleId");
  const rule = findRule(request.db, request.app.appId, id);
  if (rule === undefined) {
    throw new PlatformError("ERR_RULE_NOT_FOUND", `The rule with id ${id} does not exist.`);
  }
  return rule;
}

// 25 custom rules an app (docs/platform/moderation.md#limits-of-moderation).
const maxCustomRules = 25;
