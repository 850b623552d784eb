import { hash } from "node:crypto";
import { ensureField, found, missing, requireRoom } from "../errors/platform-error.ts";
import { readForm } from "../http/fields.ts";
import { type AppRequest, acknowledge, appFamily, replyLimited } from "../http/route.ts";
import { defined, omit } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { deleteDocument } from "../store/database.ts";
import {
  findKeywordList,
  type KeywordList,
  keywordKind,
  listKeywordLists,
  nextRevisionId,
  putKeywordList,
} from "./moderation-store.ts";
import { readNewId } from "./rules.ts";

export const keywordRoutes = appFamily({
  async "create-rule-keyword"(request) {
    const { id: givenId, name: givenName, ...form } = await readKeywordForm(request);
    const name = givenName ?? givenId;
    if (name === undefined) throw missing("name");
    ensureField(name.length <= 100, "name", "The name may not be greater than 100 characters.");
    const id = readNewId(givenId, name);
    ensureField(
      findKeywordList(request, id) === undefined,
      "id",
      `The keyword list with id ${id} already exists.`,
    );
    const custom = listKeywordLists(request).filter((known) => known.default !== true);
    requireRoom(custom.length, "custom keyword lists", maxCustomLists);
    const at = nowSeconds(request);
    const stored: KeywordList = {
      id,
      name,
      ...form,
      createdAt: at,
      updatedAt: at,
      revisionId: nextRevisionId(request.appId, id, undefined),
      active: true,
    };
    putKeywordList(request, stored);
    return stored;
  },
  "list-rule-keywords"(request) {
    const lists = listKeywordLists(request).map((stored) => {
      const owner = stored.default === true ? "default" : request.appId;
      const _id = hash("sha256", `${owner}/${stored.id}`).slice(0, 24);
      return { _id, appId: owner, ...stored, __v: 0 };
    });
    return replyLimited(lists);
  },
  "get-rule-keyword": requireList,
  "update-rule-keyword": update,
  "delete-rule-keyword"(request) {
    const { id } = requireList(request);
    deleteDocument(request, keywordKind, id);
    return acknowledge(`Keyword with id ${id} has been deleted successfully.`);
  },
});

async function update(request: AppRequest) {
  const stored = requireList(request);
  const form = await readKeywordForm(request);
  const changed: KeywordList = {
    ...omit(stored, "disallowedSentences"),
    ...form,
    id: stored.id,
    updatedAt: nowSeconds(request),
    revisionId: nextRevisionId(request.appId, stored.id, stored.revisionId),
  };
  putKeywordList(request, changed);
  return changed;
}

function requireList(request: AppRequest) {
  const id = request.param("keywordId");
  return found(
    findKeywordList(request, id),
    "ERR_KEYWORD_NOT_FOUND",
    `The keyword list with id ${id} does not exist.`,
  );
}

// @see docs/internals/platform/moderation.md#limits-of-moderation
const maxFileBytes = 1_048_576;

const maxCustomLists = 25;

/** Reads `disallowedSentences` for sentence-similarity, repeated or one per line. */
async function readKeywordForm(request: AppRequest) {
  const form = await readForm(request);
  const text = (field: string) => {
    const value = form.get(field);
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const category = text("category");
  ensureField(
    category !== undefined && categories.includes(category),
    "category",
    `The category must be one of: ${categories.join(", ")}.`,
  );
  const file = form.get("file");
  const csv = file === null || typeof file === "string" ? undefined : await file.text();
  ensureField((csv?.length ?? 0) <= maxFileBytes, "file", "The file may not be larger than 1 MB.");
  const id = text("id");
  const name = text("name");
  const description = text("description");
  return {
    ...defined({ id, name, description }),
    category,
    isCSV: csv !== undefined,
    ...readTerms(category, csv ?? text("searchTerms"), readSentences(form)),
  };
}

function readSentences(form: FormData) {
  return [...form.getAll("disallowedSentences"), ...form.getAll("disallowedSentences[]")].flatMap((value) =>
    typeof value === "string" ? splitLines(value) : [],
  );
}

function readTerms(category: string, terms: string | undefined, sentences: string[]) {
  if (category === "sentence-similarity") {
    const all = sentences.length > 0 ? sentences : splitLines(terms ?? "");
    if (all.length === 0) {
      throw missing("disallowedSentences");
    }
    return { searchTerms: [], disallowedSentences: all };
  }
  const searchTerms = splitLines(terms ?? "").flatMap((line) => splitCells(line));
  if (searchTerms.length === 0) throw missing("searchTerms");
  ensureField(
    !searchTerms.some((term) => term.length > maxTermLength),
    "searchTerms",
    `A term may not be greater than ${maxTermLength} characters.`,
  );
  return { searchTerms };
}

function splitLines(value: string) {
  return value.split(/\r?\n/).flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}

function splitCells(line: string) {
  return [...line.matchAll(/"((?:[^"]|"")*)"|([^,]+)/g)].flatMap(([, quoted, plain]) => {
    const cell = (quoted?.replaceAll('""', '"') ?? plain ?? "").trim();
    return cell === "" ? [] : [cell];
  });
}

const categories = ["word", "pattern", "sentence-similarity"];

// @see docs/internals/platform/ids-and-limits.md#texts
const maxTermLength = 100;
