import type { JsonObject } from "../json.ts";
import type { Database } from "../store/database.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/documents.ts";
import { isKeywordList, isRule, type KeywordList, type ModerationRule } from "./rule.ts";

/** Lists the current rules of an app, built-in ones first. */
export function listRules(db: Database, appId: string): ModerationRule[] {
  return listDocuments(db, appId, ruleKind).filter(isRule);
}

/** Finds the current revision of a rule. */
export function findRule(db: Database, appId: string, id: string): ModerationRule | undefined {
  const rule = getDocument(db, appId, ruleKind, id);
  return isRule(rule) ? rule : undefined;
}

/** Stores a new revision of a rule and turns the former one inactive. */
export function putRule(db: Database, appId: string, rule: ModerationRule): void {
  db.transaction(() => {
    for (const former of listRevisions(db, appId, rule.id)) {
      if (former.active) {
        putDocument(db, appId, revisionKind(rule.id), former.revisionId, { ...former, active: false });
      }
    }
    putDocument(db, appId, ruleKind, rule.id, rule);
    putDocument(db, appId, revisionKind(rule.id), rule.revisionId, rule);
  });
}

/** Lists the revisions of a rule, oldest first. */
export function listRevisions(db: Database, appId: string, id: string): ModerationRule[] {
  return listDocuments(db, appId, revisionKind(id)).filter(isRule);
}

/** Deletes a rule with its revisions. */
export function deleteRule(db: Database, appId: string, id: string): void {
  db.transaction(() => {
    for (const { revisionId } of listRevisions(db, appId, id)) {
      deleteDocument(db, appId, revisionKind(id), revisionId);
    }
    deleteDocument(db, appId, ruleKind, id);
  });
}

/** Lists the keyword lists of an app. */
export function listKeywordLists(db: Database, appId: string): KeywordList[] {
  return listDocuments(db, appId, keywordKind).filter(isKeywordList);
}

/** Finds a keyword list. */
export function findKeywordList(db: Database, appId: string, id: string): KeywordList | undefined {
  const list = getDocument(db, appId, keywordKind, id);
  return isKeywordList(list) ? list : undefined;
}

/** Stores a keyword list, new or changed. */
export function putKeywordList(db: Database, appId: string, list: KeywordList): void {
  putDocument(db, appId, keywordKind, list.id, list);
}

/** Deletes a keyword list; rules that name it match nothing by it from then on (assumed). */
export function deleteKeywordList(db: Database, appId: string, id: string): void {
  deleteDocument(db, appId, keywordKind, id);
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
  db: Database,
  appId: string,
  kind: keyof typeof messageKinds,
  messageId: string,
): JsonObject | undefined {
  return getDocument(db, appId, messageKinds[kind], messageId);
}

/** Moves what is known of a message from one list to the reviewed ones. */
export function moveToReviewed(
  db: Database,
  appId: string,
  from: "blocked" | "flagged",
  messageId: string,
  record: JsonObject,
): void {
  db.transaction(() => {
    deleteDocument(db, appId, messageKinds[from], messageId);
    // Deleted first, so that the list has it at its end.
    deleteDocument(db, appId, messageKinds.reviewed, messageId);
    putDocument(db, appId, messageKinds.reviewed, messageId, record);
  });
}

const ruleKind = "moderation-rule";
const keywordKind = "moderation-keyword-list";

function revisionKind(id: string): string {
  return `moderation-revision:${id}`;
}
