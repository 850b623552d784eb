import type { JsonObject } from "../json.ts";
import type { AppServices } from "../services/services.ts";
import { type AppData, deleteDocument, getDocument, listDocuments, putDocument } from "../store/database.ts";
import { messageKinds } from "../store/message-access.ts";

/**
 * `value`: words, patterns, list ids (`isKeywordsReferencePresent`), labels such as
 * `toxicity_greaterThan_70`.
 * @see docs/internals/platform/moderation.md#conditions
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

/** @see docs/internals/platform/moderation.md#filters */
export type Filter = {
  type: "sender" | "receiver";
  entity: "user" | "group";
  operand: string;
  operator: string;
  value: string;
};

/** One revision is active. Times are unix seconds. */
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

/** Reads `spam-detection_greaterThan_50`. */
export function readThreshold(value: string): { label: string; percent: number | undefined } {
  const match = /^(.+)_greaterThan_(\d{1,3}(?:\.\d+)?)$/.exec(value);
  return { label: match?.[1] ?? value, percent: match === null ? undefined : Number(match[2]) };
}

export function listRules(data: AppData): ModerationRule[] {
  return listDocuments(data, ruleKind);
}

export function findRule(data: AppData, id: string): ModerationRule | undefined {
  return getDocument(data, ruleKind, id);
}

export function putRule(data: AppData, rule: ModerationRule): void {
  const kind = revisionKind(rule.id);
  for (const former of listRevisions(data, rule.id).filter(({ active }) => active)) {
    putDocument(data, kind, former.revisionId, { ...former, active: false });
  }
  putDocument(data, ruleKind, rule.id, rule);
  putDocument(data, kind, rule.revisionId, rule);
}

export function listRevisions(data: AppData, id: string): ModerationRule[] {
  return listDocuments(data, revisionKind(id));
}

export function deleteRule(data: AppData, id: string): void {
  for (const { revisionId } of listRevisions(data, id)) {
    deleteDocument(data, revisionKind(id), revisionId);
  }
  deleteDocument(data, ruleKind, id);
}

export function listKeywordLists(data: AppData): KeywordList[] {
  return listDocuments(data, keywordKind);
}

export function findKeywordList(data: AppData, id: string): KeywordList | undefined {
  return getDocument(data, keywordKind, id);
}

export function putKeywordList(data: AppData, list: KeywordList): void {
  putDocument(data, keywordKind, list.id, list);
}

/** Returns `<appId>_<id>_<n>`, n from 1. @see docs/internals/platform/ids-and-limits.md#revision-ids */
export function nextRevisionId(appId: string, id: string, former: string | undefined): string {
  const number = Number(/_(\d+)$/.exec(former ?? "")?.[1] ?? 0);
  return `${appId}_${id}_${number + 1}`;
}

export function moveToReviewed(data: AppData, messageId: string, record: JsonObject): void {
  // Moves the message to the end of the list.
  for (const kind of Object.values(messageKinds)) deleteDocument(data, kind, messageId);
  putDocument(data, messageKinds.reviewed, messageId, record);
}

const ruleKind = "moderation-rule";
/** A rule that names a deleted list does not match by it (assumed). */
export const keywordKind = "moderation-keyword-list";

function revisionKind(id: string) {
  return `moderation-revision:${id}`;
}

/** Ids were seen live; contents, and that they are disabled, are assumed. */
export function addBuiltInModeration(services: AppServices): void {
  const { createdAt } = services.app;
  const stamp = { active: true, createdAt, updatedAt: createdAt, default: true };
  putKeywordList(services, {
    id: profanityList,
    name: "profane word list",
    description: "Words the platform calls profane.",
    category: "word",
    isCSV: true,
    searchTerms: ["damn", "crap", "bloody hell"],
    revisionId: `default_${profanityList}_1`,
    ...stamp,
  });
  for (const [id, name, condition] of builtInRules) {
    putRule(services, {
      id,
      name,
      description: name,
      enabled: false,
      conditions: [{ ...conditionBase, ...condition }],
      action: ["blockMessage"],
      revisionId: `default_${id}_1`,
      ...stamp,
    });
  }
}

const profanityList = "profanity-list";

const conditionBase: Condition = {
  id: 1,
  isKeywordsReferencePresent: false,
  isMediaPresent: false,
  entity: "message",
  operand: "text",
  category: "word",
  operator: "contains",
  value: [],
  message: [],
};

const profane = { isKeywordsReferencePresent: true, value: [profanityList] };
const media = { isMediaPresent: true, value: ["Any unsafe content_greaterThan_70"] };

type BuiltInRule = readonly [id: string, name: string, condition: Partial<Condition>];

const builtInRules: readonly BuiltInRule[] = [
  ["profanity-filter", "Profanity Filter", { ...profane, message: ["Text message contains profanity"] }],
  ...["spam-detection", "scam-detection", "platform-circumvention", "toxicity"].map(
    (id): BuiltInRule => [
      id,
      id.replaceAll("-", " "),
      { category: id, value: [`${id}_greaterThan_70`], message: [`Text message shows ${id}`] },
    ],
  ),
  ...["image", "video"].map(
    (operand): BuiltInRule => [
      `${operand}-moderation`,
      `${operand} moderation`,
      { ...media, operand, message: ["Unsafe content with confidence greater than 70"] },
    ],
  ),
  [
    "contact_details_filter",
    "Contact Details Filter",
    {
      category: "pattern",
      value: [String.raw`\+?\d[\d\s().-]{7,}\d`],
      message: ["Text message contains a phone number"],
    },
  ],
  [
    "email_filter",
    "Email Filter",
    {
      category: "pattern",
      value: [String.raw`[\w.+-]+@[\w-]+\.[\w.-]+`],
      message: ["Text message contains an e-mail address"],
    },
  ],
];
