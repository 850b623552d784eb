import { createHash } from "node:crypto";
import { badRequest, limitReached } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { limitMeta } from "../http/cursor.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import { readKeywordForm } from "./keyword-form.ts";
import {
  deleteKeywordList,
  findKeywordList,
  listKeywordLists,
  nextRevisionId,
  putKeywordList,
} from "./moderation-store.ts";
import type { KeywordList } from "./rule.ts";
import { readNewId } from "./rules.ts";

const base = {
  fidelity: "documented",
  source: "docs/platform/moderation.md#keyword-lists",
  onBehalfOf: "unsupported",
} as const;
const many = "/moderation/keywords";
const one = "/moderation/keywords/{keywordId}";

/** Declares the keyword list family. */
export const keywordRoutes: readonly AppRoute[] = [
  {
    ...base,
    operationId: "create-rule-keyword",
    method: "POST",
    path: many,
    assumptions: [
      "Without id it is made from the name; a duplicate id is refused with ERR_BAD_REQUEST.",
      "A CSV file holds terms separated by commas and line ends.",
    ],
    handler: create,
  },
  { ...base, operationId: "list-rule-keywords", method: "GET", path: many, handler: list },
  {
    ...base,
    operationId: "get-rule-keyword",
    method: "GET",
    path: one,
    handler: (request) => reply(requireList(request)),
  },
  {
    ...base,
    operationId: "update-rule-keyword",
    method: "PUT",
    path: one,
    assumptions: ["A change makes a new revision; the id cannot be changed."],
    handler: update,
  },
  { ...base, operationId: "delete-rule-keyword", method: "DELETE", path: one, handler: remove },
];

async function create(request: AppRequest): Promise<Reply> {
  const { appId } = request.app;
  const { id: givenId, name: givenName, ...form } = await readKeywordForm(request);
  const name = givenName ?? givenId;
  if (name === undefined) throw badRequest({ name: "The name field is required." });
  if (name.length > 100) throw badRequest({ name: "The name may not be greater than 100 characters." });
  const id = readNewId(givenId, name);
  if (findKeywordList(request.db, appId, id) !== undefined) {
    throw badRequest({ id: `The keyword list with id ${id} already exists.` });
  }
  const custom = listKeywordLists(request.db, appId).filter((known) => known.default !== true);
  if (custom.length >= maxCustomLists) throw limitReached("custom keyword lists", maxCustomLists);
  const at = nowSeconds(request);
  const stored: KeywordList = {
    id,
    name,
    ...form,
    createdAt: at,
    updatedAt: at,
    revisionId: nextRevisionId(appId, id, undefined),
    active: true,
  };
  putKeywordList(request.db, appId, stored);
  return reply(stored);
}

function list(request: AppRequest): Reply {
  const { appId } = request.app;
  const lists = listKeywordLists(request.db, appId).map((stored) => {
    const owner = stored.default === true ? "default" : appId;
    return { _id: objectId(`${owner}/${stored.id}`), appId: owner, ...stored, __v: 0 };
  });
  // The example's limit is 10; no parameter changes it.
  return reply(lists, { meta: limitMeta(Math.max(10, lists.length), lists.length) });
}

async function update(request: AppRequest): Promise<Reply> {
  const stored = requireList(request);
  const { id: _id, ...form } = await readKeywordForm(request);
  const { disallowedSentences: _former, ...kept } = stored;
  const changed: KeywordList = {
    ...kept,
    ...form,
    updatedAt: nowSeconds(request),
    revisionId: nextRevisionId(request.app.appId, stored.id, stored.revisionId),
  };
  putKeywordList(request.db, request.app.appId, changed);
  return reply(changed);
}

function remove(request: AppRequest): Reply {
  const { id } = requireList(request);
  deleteKeywordList(request.db, request.app.appId, id);
  return acknowledge(`Keyword with id ${id} has been deleted successfully.`);
}

function requireList(request: AppRequest): KeywordList {
  const id = request.param("keywordId");
  const stored = findKeywordList(request.db, request.app.appId, id);
  if (stored === undefined) {
    throw new PlatformError("ERR_KEYWORD_NOT_FOUND", `The keyword list with id ${id} does not exist.`);
  }
  return stored;
}

// 24 hex characters, as in the printed list.
function objectId(seed: string): string {
  return createHash("sha256").update(seed).digest("hex").slice(0, 24);
}

// 25 custom lists an app (docs/platform/moderation.md#limits-of-moderation).
const maxCustomLists = 25;
