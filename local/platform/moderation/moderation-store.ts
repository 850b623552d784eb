import type { JsonObject } from "../json.ts";
import type { AppServices } from "../services/services.ts";
import type { AppData } from "../store/database.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/documents.ts";
import { type Condition, isKeywordList, isRule, type KeywordList, type ModerationRule } from "./rule.ts";

/** Lists the current rules of an app, built-in ones first. */
export function listRules(data: AppData): ModerationRule[] {
  return listDocuments(data, ruleKind).filter(isRule);
}

/** Finds the current revision of a rule. */
export function findRule(data: AppData, id: string): ModerationRule | undefined {
  const rule = getDocument(data, ruleKind, id);
  return isRule(rule) ? rule : undefined;
}

/** Stores a new revision of a rule and turns the former one inactive. */
export function putRule({ db, appId }: AppData, rule: ModerationRule): void {
  db.transaction(() => {
    for (const former of listRevisions({ db, appId }, rule.id)) {
      if (former.active) {
        putDocument({ db, appId }, revisionKind(rule.id), former.revisionId, { ...former, active: false });
      }
    }
    putDocument({ db, appId }, ruleKind, rule.id, rule);
    putDocument({ db, appId }, revisionKind(rule.id), rule.revisionId, rule);
  });
}

/** Lists the revisions of a rule, oldest first. */
export function listRevisions(data: AppData, id: string): ModerationRule[] {
  return listDocuments(data, revisionKind(id)).filter(isRule);
}

/** Deletes a rule with its revisions. */
export function deleteRule({ db, appId }: AppData, id: string): void {
  db.transaction(() => {
    for (const { revisionId } of listRevisions({ db, appId }, id)) {
      deleteDocument({ db, appId }, revisionKind(id), revisionId);
    }
    deleteDocument({ db, appId }, ruleKind, id);
  });
}

/** Lists the keyword lists of an app. */
export function listKeywordLists(data: AppData): KeywordList[] {
  return listDocuments(data, keywordKind).filter(isKeywordList);
}

/** Finds a keyword list. */
export function findKeywordList(data: AppData, id: string): KeywordList | undefined {
  const list = getDocument(data, keywordKind, id);
  return isKeywordList(list) ? list : undefined;
}

/** Stores a keyword list, new or changed. */
export function putKeywordList(data: AppData, list: KeywordList): void {
  putDocument(data, keywordKind, list.id, list);
}

/** Deletes a keyword list; rules that name it match nothing by it from then on (assumed). */
export function deleteKeywordList(data: AppData, id: string): void {
  deleteDocument(data, keywordKind, id);
}

/**
 * Names the revision after the given one: `<appId>_<id>_<n>`, from 1.
 * @see docs/platform/ids-and-limits.md#revision-ids
 */
export function nextRevisionId(appId: string, id: string, former: string | undefined): string {
  const number = Number(/_(\d+)$/.exec(former ?? "")?.[1] ?? 0);
  return `${appId}_${id}_${number + 1}`;
}

/** Names the kinds of documents that hold what happened to messages; ids are message ids. */
export const messageKinds = {
  blocked: "moderation-blocked",
  flagged: "moderation-flagged",
  reviewed: "moderation-reviewed",
} as const;

/** Reads a record about a message. */
export function findRecord(
  data: AppData,
  kind: keyof typeof messageKinds,
  messageId: string,
): JsonObject | undefined {
  return getDocument(data, messageKinds[kind], messageId);
}

/** Moves what is known of a message from one list to the reviewed ones. */
export function moveToReviewed(
  { db, appId }: AppData,
  from: "blocked" | "flagged",
  messageId: string,
  record: JsonObject,
): void {
  db.transaction(() => {
    deleteDocument({ db, appId }, messageKinds[from], messageId);
    // Deleted first, so that the list has it at its end.
    deleteDocument({ db, appId }, messageKinds.reviewed, messageId);
    putDocument({ db, appId }, messageKinds.reviewed, messageId, record);
  });
}

const ruleKind = "moderation-rule";
const keywordKind = "moderation-keyword-list";

function revisionKind(id: string): string {
  return `moderation-revision:${id}`;
}

/**
 * Stores the rules and the keyword list every app starts with. Their ids were seen, also that they carry
 * `default: true`; what they hold is ours, and they are off until somebody turns them on (assumed).
 * @see docs/platform/moderation.md#rules, docs/platform/moderation.md#keyword-lists
 */
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

const builtInRules: readonly (readonly [string, string, Partial<Condition>])[] = [
  [
    "text-profanity-filter",
    "Text Profanity Filter",
    {
      isKeywordsReferencePresent: true,
      value: [profanityList],
      message: ["Text message contains profanity"],
    },
  ],
  [
    "custom-profanity-filter",
    "Custom Profanity Filter",
    {
      operand: "custom",
      isKeywordsReferencePresent: true,
      value: [profanityList],
      message: ["Custom message contains profanity"],
    },
  ],
  [
    "image-moderation",
    "AI Image Moderation",
    {
      operand: "image",
      isMediaPresent: true,
      value: ["Any unsafe content_greaterThan_70"],
      message: ["Image contains unsafe content with confidence greater than 70"],
    },
  ],
  [
    "video-moderation",
    "Video Moderation",
    {
      operand: "video",
      isMediaPresent: true,
      value: ["Any unsafe content_greaterThan_70"],
      message: ["Video contains unsafe content with confidence greater than 70"],
    },
  ],
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
