import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/no-two-alike.ts";
import { moderationRules } from "../../../chat/resources/moderation-rules.ts";
import { defineListSubject } from "../define-subject.ts";
import { isUnchangedDefault, resourceKind } from "../resource-kind.ts";

const textOrTexts = z.union([z.string(), z.array(z.string())]);

/**
 * Passes other fields on: the platform's own rules have undocumented ones
 * (docs/internals/platform/moderation.md#conditions).
 */
const conditionSchema = z.looseObject({
  operand: z.enum(["text", "image", "video", "custom"]),
  operator: z.enum(["contains", "equals"]),
  category: z.string(),
  value: textOrTexts,
});

const filterSchema = z.looseObject({
  type: z.enum(["sender", "receiver"]),
  entity: z.enum(["user", "group"]),
  operand: z.string(),
  operator: z.string(),
  value: textOrTexts,
});

/** Limits: docs/internals/platform/moderation.md#limits-of-moderation. */
const ruleSchema = z.strictObject({
  id: z.string().check(z.regex(/^[^\s/]{1,100}$/u, "expected 1 to 100 characters without spaces")),
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  description: z.optional(z.string()),
  enabled: z.optional(z.boolean()),
  action: z.optional(z.array(z.string()).check(z.minLength(1))),
  conditions: z.optional(z.array(conditionSchema).check(z.maxLength(10))),
  filters: z.optional(z.array(filterSchema).check(z.maxLength(10))),
});

const ruleKind = resourceKind({
  name: "moderation rule",
  fields: ["name", "description", "enabled", "action", "conditions", "filters"],
  callsOf: (chat) => chat.using({ moderationRules }).moderationRules,
  list: (calls, request) => calls.list({ limit: 1_000 }, request),
  missing: "ERR_RULE_NOT_FOUND",
  isUntouched: isUnchangedDefault,
});

export const moderationRulesSubject = defineListSubject({
  name: "moderation-rules",
  list: "rules",
  items: z.array(ruleSchema).check(noTwoAlike("id", "another rule has the same id")),
  kinds: [ruleKind],
  wanted: ({ id, ...fields }) => [{ kind: ruleKind.name, id, fields }],
});
