import * as z from "zod/mini";
import { acknowledgement, maybeFlag, maybeNumber, maybeObjects, maybeText, maybeTexts } from "../answers.ts";
import type { Family } from "../operation.ts";
import {
  file,
  int,
  json,
  list,
  looseObject,
  opt,
  optional,
  strictObject,
  word,
  words,
  yesNo,
} from "../schema.ts";

/** A revision of a moderation rule. Times are unix seconds. */
const moderationRuleAnswer = () =>
  looseObject({
    id: word,
    name: maybeText,
    description: maybeText,
    enabled: maybeFlag,
    conditions: maybeObjects,
    filters: maybeObjects,
    /** For instance `blockMessage`. */
    action: maybeTexts,
    active: maybeFlag,
    createdAt: maybeNumber,
    updatedAt: maybeNumber,
    /** `<appId>_<ruleId>_<n>`, n from 1. */
    revisionId: maybeText,
    /** True for the built-in rules. */
    default: maybeFlag,
  });

const content = () =>
  optional({
    name: words(100),
    description: words(255),
    enabled: yesNo,
    action: list,
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
    input: () => strictObject({ id: words(100), ...content() }),
    answer: moderationRuleAnswer,
  },
  /** Lists rules; the built-in ones have `default: true`. One page. */
  list: {
    id: "list-rules",
    request: "GET /moderation/rules",
    input: () => strictObject({ limit: opt(int(1, 1_000)) }),
    paged: "once",
    answer: moderationRuleAnswer,
  },
  /** Reads a rule. Errors: ERR_RULE_NOT_FOUND. */
  get: { id: "get-rule", request: "GET /moderation/rules/{ruleId}", answer: moderationRuleAnswer },
  /**
   * Changes a rule, which creates a new revision at each call. Send the whole rule: a field that is left out
   * may be lost. Errors: ERR_RULE_NOT_FOUND.
   */
  update: {
    id: "update-rule",
    request: "PUT /moderation/rules/{ruleId}",
    input: () => strictObject({ id: opt(words(100)), ...content() }),
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

/** Words or patterns of rules. Times are unix seconds. */
const keywordListAnswer = () =>
  looseObject({
    id: word,
    name: maybeText,
    description: maybeText,
    /** `word`, `pattern` or `sentence-similarity`. */
    category: maybeText,
    isCSV: maybeFlag,
    searchTerms: maybeTexts,
    createdAt: maybeNumber,
    updatedAt: maybeNumber,
    revisionId: maybeText,
    active: maybeFlag,
    default: maybeFlag,
  });

const listContent = () => ({
  name: opt(word),
  description: opt(word),
  category: z.enum(["word", "pattern", "sentence-similarity"]),
  /** Each ≤ 100 characters; sent comma-separated, so none may contain a comma. */
  searchTerms: z.array(
    words(100).check(
      z.refine((term) => !term.includes(","), "free of commas: terms are sent comma-separated"),
    ),
  ),
  /** A CSV file instead of terms. */
  file: opt(file),
});

const keywordListInput = () => strictObject({ id: opt(words(100)), ...listContent() });

/**
 * Keyword lists of moderation rules, at most 25 own ones. See
 * docs/internals/platform/moderation.md#keyword-lists.
 * @example
 * const { id } = await chat.keywordLists.create({ id: "rude", category: "word", searchTerms: ["darn"] });
 * await chat.keywordLists.update(id, { category: "word", searchTerms: ["darn", "heck"] });
 */
export const keywordLists = {
  /** Creates a list from terms or a CSV file. A duplicate's error is not documented. */
  create: {
    id: "create-rule-keyword",
    request: "POST /moderation/keywords",
    form: true,
    input: keywordListInput,
    answer: keywordListAnswer,
  },
  /** Lists the keyword lists; `profanity-list` is built in. One page. */
  list: {
    id: "list-rule-keywords",
    request: "GET /moderation/keywords",
    paged: "once",
    answer: keywordListAnswer,
  },
  /** Reads a list. Errors: ERR_KEYWORD_NOT_FOUND. */
  get: {
    id: "get-rule-keyword",
    request: "GET /moderation/keywords/{keywordId}",
    answer: keywordListAnswer,
  },
  /** Changes a list. Errors: ERR_KEYWORD_NOT_FOUND. Each call may create a revision. */
  update: {
    id: "update-rule-keyword",
    request: "PUT /moderation/keywords/{keywordId}",
    form: true,
    input: keywordListInput,
    answer: keywordListAnswer,
  },
  /** Deletes a list. Errors: ERR_KEYWORD_NOT_FOUND (after an unclear try: done). */
  delete: {
    id: "delete-rule-keyword",
    request: "DELETE /moderation/keywords/{keywordId}",
    answer: acknowledgement,
  },
} as const satisfies Family;

// The list has times as numeric strings (docs/internals/platform/moderation.md#reasons).
/** A reason that users can choose when they flag a message. Times are unix seconds. */
const reasonAnswer = () =>
  looseObject({
    id: word,
    name: word,
    description: maybeText,
    createdAt: maybeNumber,
    updatedAt: maybeNumber,
    /** True for the built-in reasons. */
    default: maybeFlag,
  });

/** Not documented; only catches mistakes. */
const name = () => words(1_000);

/**
 * Reasons that users can choose when they flag a message. See docs/internals/platform/moderation.md#reasons.
 * @example
 * await chat.reasons.create({ id: "off-topic", name: "Off topic" });
 * const all = await chat.reasons.list().page(); // the built-in ones have `default`
 */
export const reasons = {
  /**
   * Creates a reason. Limits of `id` and `name` and the error for a duplicate are not documented. Pass an
   * `alreadyDone` that looks for its id in the list.
   */
  create: {
    id: "create-reason",
    request: "POST /moderation/reasons",
    input: () => strictObject({ id: name, name, description: opt(word) }),
    answer: reasonAnswer,
  },
  /** Lists the reasons; the built-in ones have `default: true`. One page. */
  list: { id: "list-reasons", request: "GET /moderation/reasons", paged: "once", answer: reasonAnswer },
  /** Reads one reason. Errors: ERR_REASON_NOT_FOUND. */
  get: { id: "get-reason-details", request: "GET /moderation/reasons/{id}", answer: reasonAnswer },
  /**
   * Changes a reason. Only the name is documented as changeable: the answer shows whether the description
   * changed. Errors: ERR_REASON_NOT_FOUND.
   */
  update: {
    id: "update-reason-details",
    request: "PUT /moderation/reasons/{id}",
    input: () => strictObject({ name, description: z.optional(z.string()) }),
    answer: reasonAnswer,
  },
  /** Deletes a reason. Errors: ERR_REASON_NOT_FOUND (after an unclear try: done). */
  delete: { id: "delete-reason", request: "DELETE /moderation/reasons/{id}", answer: acknowledgement },
} as const satisfies Family;
