import * as z from "zod/mini";
import { acknowledgement, maybeFlag, maybeNumber, maybeObjects, maybeText, maybeTexts } from "../answers.ts";
import { int, json, list, opt, optional, word, words, yesNo } from "../fields.ts";
import type { Family } from "../operation.ts";

/** A revision of a moderation rule. Times are unix seconds. */
const moderationRuleAnswer = () =>
  z.looseObject({
    id: z.string(),
    name: maybeText(),
    description: maybeText(),
    enabled: maybeFlag(),
    conditions: maybeObjects(),
    filters: maybeObjects(),
    /** For instance `blockMessage`. */
    action: maybeTexts(),
    active: maybeFlag(),
    createdAt: maybeNumber(),
    updatedAt: maybeNumber(),
    /** `<appId>_<ruleId>_<n>`, n from 1. */
    revisionId: maybeText(),
    /** True for the built-in rules. */
    default: maybeFlag(),
  });

const content = () =>
  optional({
    name: words(100),
    description: word(),
    enabled: yesNo(),
    action: list(),
    filters: z.array(json()),
    conditions: z.array(json()),
  });

/**
 * Rules for messages. See docs/internals/platform/moderation.md#rules.
 * @example
 * await chat.moderationRules.create({
 *   id: "no-spam",
 *   name: "No spam",
 *   enabled: true,
 *   action: ["blockMessage"],
 *   conditions: [
 *     { id: 1, entity: "message", operand: "text", operator: "contains", category: "word", value: ["spam"] },
 *   ],
 * });
 */
export const moderationRules = {
  /**
   * Creates a rule. At most 25 own rules with 10 filters and 10 conditions each. A duplicate's error is not
   * documented.
   */
  create: {
    id: "create-rule",
    request: "POST /moderation/rules",
    input: () => z.strictObject({ id: words(100), ...content() }),
    answer: moderationRuleAnswer,
  },
  /** Lists rules; the built-in ones have `default: true`. One page. */
  list: {
    id: "list-rules",
    request: "GET /moderation/rules",
    input: () => z.strictObject({ limit: opt(int(1, 1_000)) }),
    paged: "once",
    answer: moderationRuleAnswer,
  },
  /** Reads a rule. Errors: ERR_RULE_NOT_FOUND. */
  get: { id: "get-rule", request: "GET /moderation/rules/{ruleId}", answer: moderationRuleAnswer },
  /** Changes a rule, which creates a new revision at each call. Errors: ERR_RULE_NOT_FOUND. */
  update: {
    id: "update-rule",
    request: "PUT /moderation/rules/{ruleId}",
    input: () => z.strictObject({ id: opt(words(100)), ...content() }),
    answer: moderationRuleAnswer,
  },
  /** Deletes a rule. Errors: ERR_RULE_NOT_FOUND (after an unclear try: done). */
  delete: { id: "delete-rule", request: "DELETE /moderation/rules/{ruleId}", answer: acknowledgement },
  /** Lists a rule's revisions, newest first. One page. Errors: ERR_RULE_NOT_FOUND. */
  listRevisions: {
    id: "list-rule-revisions",
    request: "GET /moderation/rules/{ruleId}/revisions",
    paged: "once",
    answer: moderationRuleAnswer,
  },
} as const satisfies Family;
