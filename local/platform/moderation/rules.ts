import { badRequest, limitReached, PlatformError } from "../errors/platform-error.ts";
import { optionalText, requiredText } from "../http/fields.ts";
import { acknowledge, type Reply, reply, replyLimited } from "../http/reply.ts";
import { type AppRequest, type AppRoute, appFamily } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import {
  deleteRule,
  findRule,
  listRevisions,
  listRules,
  nextRevisionId,
  putRule,
} from "./moderation-store.ts";
import { type ModerationRule, readRuleInput } from "./rule.ts";

const route = appFamily("docs/platform/moderation.md#rules");

/** Declares the moderation rule family. */
export const ruleRoutes: readonly AppRoute[] = [
  route("create-rule", "POST /moderation/rules", create, {
    assumptions: [
      "Without id it is made from the name; a duplicate id is refused with ERR_BAD_REQUEST.",
      "A rule is enabled and blocks unless the request says otherwise.",
      "One matching condition is enough; all filters have to fit.",
      "Conditions that need the platform's models (toxicity, image labels) never match.",
    ],
  }),
  route("list-rules", "GET /moderation/rules", list),
  route("get-rule", "GET /moderation/rules/{ruleId}", (request) => reply(requireRule(request))),
  route("update-rule", "PUT /moderation/rules/{ruleId}", update, {
    input: {
      body: { id: "string" },
      needs: { any: ["name", "enabled", "description", "action", "filters", "conditions"] },
    },
    assumptions: ["Fields that are absent keep their value; the id cannot be changed."],
  }),
  route("delete-rule", "DELETE /moderation/rules/{ruleId}", remove, {
    assumptions: ["Built-in rules can be deleted."],
  }),
  route("list-rule-revisions", "GET /moderation/rules/{ruleId}/revisions", revisions),
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
  const { appId } = request;
  const input = readRuleInput(request.body);
  const name = requiredText(request.body, "name", 100);
  const id = readNewId(optionalText(request.body, "id"), name);
  if (findRule(request, id) !== undefined) {
    throw badRequest({ id: `The rule with id ${id} already exists.` });
  }
  const custom = listRules(request).filter((rule) => rule.default !== true);
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
  putRule(request, rule);
  return reply(rule);
}

function list(request: AppRequest): Reply {
  const limit = readLimit(request, 50);
  const rules = listRules(request).slice(0, limit);
  return replyLimited(rules, limit);
}

function update(request: AppRequest): Reply {
  const rule = requireRule(request);
  const changed: ModerationRule = {
    ...rule,
    ...readRuleInput(request.body),
    updatedAt: nowSeconds(request),
    revisionId: nextRevisionId(request.appId, rule.id, rule.revisionId),
  };
  putRule(request, changed);
  return reply(changed);
}

function remove(request: AppRequest): Reply {
  const { id } = requireRule(request);
  deleteRule(request, id);
  return acknowledge(`Rule with id ${id} has been deleted successfully.`);
}

function revisions(request: AppRequest): Reply {
  const found = listRevisions(request, requireRule(request).id).reverse();
  return replyLimited(found);
}

function requireRule(request: AppRequest): ModerationRule {
  const id = request.param("ruleId");
  const rule = findRule(request, id);
  if (rule === undefined) {
    throw new PlatformError("ERR_RULE_NOT_FOUND", `The rule with id ${id} does not exist.`);
  }
  return rule;
}

// 25 custom rules an app (docs/platform/moderation.md#limits-of-moderation).
const maxCustomRules = 25;
