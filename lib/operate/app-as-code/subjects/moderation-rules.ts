import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/config-fields.ts";
import { keywordLists, moderationRules, reasons } from "../../../chat/resources/moderation-rules.ts";
import { opt, strictObject, textOrTexts, word, words, yesNo } from "../../../chat/schema.ts";
import { defineListSubject } from "../define-subject.ts";
import { type Fields, someText } from "../resource.ts";
import { isUnchangedDefault, resourceKind } from "../resource-kind.ts";

/**
 * Keeps undocumented fields, which the platform's rules have
 * (docs/internals/platform/moderation.md#conditions).
 */
const conditionSchema = z.looseObject({
  operand: z.enum(["text", "image", "video", "custom"]),
  operator: z.enum(["contains", "equals"]),
  category: z.string(),
  value: textOrTexts(),
});

const filterSchema = z.looseObject({
  type: z.enum(["sender", "receiver"]),
  entity: z.enum(["user", "group"]),
  operand: z.string(),
  operator: z.string(),
  value: textOrTexts(),
});

const id = z.string().check(z.regex(/^[^\s/]{1,100}$/u, "expected 1 to 100 characters without spaces"));

/** Limits: docs/internals/platform/moderation.md#limits-of-moderation. */
const ruleSchema = strictObject({
  id,
  name: words(100),
  description: opt(z.string().check(z.maxLength(255))),
  enabled: opt(yesNo),
  action: opt(z.array(z.string()).check(z.minLength(1))),
  conditions: opt(z.array(conditionSchema).check(z.maxLength(10))),
  filters: opt(z.array(filterSchema).check(z.maxLength(10))),
});

const ruleKind = resourceKind({
  name: "moderation rule",
  fields: ["name", "description", "enabled", "action", "conditions", "filters"],
  callsOf: (chat) => chat.using({ moderationRules }).moderationRules,
  list: (calls, request) => calls.list({ limit: 1_000 }, request),
  missing: "ERR_RULE_NOT_FOUND",
  isUntouched: isUnchangedDefault,
  // A change sends the whole rule (docs/internals/platform/moderation.md#rules).
  toInput: (target, found) => ({ ...found?.fields, ...target }),
});

export const moderationRulesSubject = defineListSubject({
  name: "moderation-rules",
  list: "rules",
  items: z.array(ruleSchema).check(noTwoAlike("id", "another rule has the same id")),
  kinds: [ruleKind],
});

/** Limits: docs/internals/platform/moderation.md#limits-of-moderation. */
const listSchema = strictObject({
  id,
  name: opt(words(100)),
  description: opt(word),
  category: keywordLists.create.input().shape.category,
  terms: z
    .array(
      z
        .string()
        .check(
          z.regex(
            /^[^\s\r\n](?:[^\r\n]{0,98}\S)?$/u,
            "expected one line of 1 to 100 characters, without spaces around it",
          ),
        ),
    )
    .check(z.minLength(1)),
});

const listKind = resourceKind({
  name: "keyword list",
  fields: ["name", "description", "category", "terms"],
  rules: { terms: { isSilent: true, list: "set" } },
  callsOf: (chat) => chat.using({ keywordLists }).keywordLists,
  list: (calls, request) => calls.list(request),
  missing: "ERR_KEYWORD_NOT_FOUND",
  // Sentences have their own field (`disallowedSentences`), which no schema names.
  read: ({ disallowedSentences: sentences, searchTerms, ...list }) => ({
    ...list,
    terms: Array.isArray(sentences) && sentences.length > 0 ? sentences : searchTerms,
  }),
  isUntouched: isUnchangedDefault,
  toInput: (target, found) => toForm({ ...found?.fields, ...target }),
});

export const keywordListsSubject = defineListSubject({
  name: "keyword-lists",
  list: "lists",
  items: z.array(listSchema).check(z.maxLength(25), noTwoAlike("id", "another list has the same id")),
  kinds: [listKind],
});

/**
 * Commas separate terms: those with a comma, and sentences, go into a file, one per line
 * (docs/internals/platform/moderation.md#keyword-lists).
 */
function toForm({ terms, ...rest }: Fields) {
  const texts = Array.isArray(terms) ? terms.map(String) : [];
  const isSentences = rest.category === "sentence-similarity";
  if (!isSentences && !texts.some((term) => /[",]/.test(term))) return { ...rest, searchTerms: texts };
  const lines = texts.map((term) => (isSentences ? term : `"${term.replaceAll('"', '""')}"`));
  return { ...rest, searchTerms: [], file: new Blob([lines.join("\n")], { type: "text/csv" }) };
}

// The platform documents no lengths (docs/internals/platform/ids-and-limits.md#texts).
const reasonSchema = strictObject({
  id: someText,
  name: someText,
  description: opt(word),
});

const reasonKind = resourceKind({
  name: "moderation reason",
  fields: ["name", "description"],
  callsOf: (chat) => chat.using({ reasons }).reasons,
  list: (calls, request) => calls.list(request),
  missing: "ERR_REASON_NOT_FOUND",
  isUntouched: isUnchangedDefault,
  // The platform requires it with every change (docs/internals/platform/moderation.md#reasons).
  toInput: (target, found) => ({ name: found?.fields.name, ...target }),
});

export const moderationReasons = defineListSubject({
  name: "moderation-reasons",
  list: "reasons",
  items: z.array(reasonSchema).check(noTwoAlike("id", "another reason has the same id")),
  kinds: [reasonKind],
});
