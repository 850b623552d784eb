import { randomUUID } from "node:crypto";
import type { Hono } from "hono";
import { ensureField, found, PlatformError } from "../errors/platform-error.ts";
import { addOwnOfApp } from "../http/own-json.ts";
import { type AppRequest, acknowledge, appFamily } from "../http/route.ts";
import { type JsonObject, objectsOf, omit, pick } from "../json.ts";
import type { AppServices, Services } from "../services/services.ts";
import { deleteDocument } from "../store/database.ts";
import {
  type AgentResource,
  documentKind,
  listResources,
  namesIn,
  putResource,
  replyPage,
  requireLengths,
  requireResource,
  textsOf,
} from "./agent-route.ts";

type SourceType = "uploads" | "text" | "website";

/** `isSent` is false for a file that was only announced. */
export type Source = AgentResource & {
  uniqueId: string;
  type: SourceType;
  sourceName: string;
  content: string;
  isSent: boolean;
  /** Milliseconds. */
  readyAt: number;
  fails: boolean;
};

export function stateOf(
  { clock }: AppServices,
  index: { readyAt: number; fails: boolean },
): "indexing" | "indexed" | "failed" {
  if (clock.now() < index.readyAt) return "indexing";
  return index.fails ? "failed" : "indexed";
}

export function startIndexing({ clock, switches }: AppServices): { readyAt: number; fails: boolean } {
  return {
    readyAt: clock.now() + switches.knowledgeIndexingMs,
    fails: switches.knowledgeIndexing === "fails",
  };
}

export function requireSource(
  services: AppServices,
  type: string,
  id: string,
  { status = 404, isSent = true }: { status?: number; isSent?: boolean } = {},
): Source {
  const source = requireResource<Source>(services, "source", id, status);
  const isThere = source.type === type && (source.isSent || !isSent);
  return found(isThere ? source : undefined, "ERR_KB_NOT_FOUND", `There is no ${type} ${id}.`, { status });
}

export function putSource(services: AppServices, source: JsonObject & { uniqueId: string }): AgentResource {
  return putResource(services, "source", source.uniqueId, { appId: services.appId, ...source });
}

function receiveFile(services: AppServices, uploadId: string, bytes: Uint8Array) {
  const source = requireSource(services, "uploads", uploadId, { isSent: false });
  const content = new TextDecoder().decode(bytes);
  putSource(services, { ...source, content, isSent: true, ...startIndexing(services) });
}

export function deleteSource(request: AppRequest, type: SourceType, message: string): JsonObject {
  const uniqueId = request.param("uniqueId");
  const { sourceName } = requireSource(request, type, uniqueId, { isSent: false });
  const deletedFromAgents = removeFromAgents(request, uniqueId);
  deleteDocument(request, documentKind("source"), uniqueId);
  const named = {
    uploads: { uploadId: uniqueId, fileName: sourceName },
    text: { uniqueId, fileName: sourceName, uniqueFileId: uniqueId },
    website: { uniqueId },
  };
  return acknowledge(message, {
    ...named[type],
    deletedFromAgents,
    vectorsDeleted: true,
    s3FileDeleted: true,
  });
}

function removeFromAgents(request: AppRequest, removed: string) {
  const having = listResources(request, "agent").filter((agent) =>
    lists.some((list) => textsOf(agent[list]).includes(removed)),
  );
  for (const agent of having) {
    const kept = lists.map((list) => [list, textsOf(agent[list]).filter((id) => id !== removed)]);
    putResource(request, "agent", String(agent.uid), { ...agent, ...Object.fromEntries(kept) });
  }
  return having.length > 0;
}

const lists = ["files", "websites"] as const;

const maxFileBytes = 50 * 1024 ** 2;

/** Serves its own pages below 127.0.0.1. */
function signedUrl(request: AppRequest, uploadId: string) {
  const { signature } = requireResource(request, "source", uploadId);
  const isOwn = /^http:\/\/(127\.0\.0\.1|localhost)/.test(request.origin);
  const origin = isOwn ? request.origin : "http://127.0.0.1";
  return `${origin}/_platform/apps/${request.appId}/agent-uploads/${uploadId}?signature=${signature}`;
}

function recordOf(request: AppRequest) {
  return (source: Source): JsonObject => ({
    ...pick(source, "uniqueId", "appId", "sourceName", "createdAt", "updatedAt"),
    type: source.type === "text" ? "text-details" : source.type,
    status: stateOf(request, source),
    lastSynced: source.updatedAt,
  });
}

export function within<T extends AgentResource>({ query }: AppRequest, resources: readonly T[]): T[] {
  const from = query.integer("startTime") ?? query.integer("start") ?? 0;
  const to = query.integer("endTime") ?? query.integer("end") ?? Number.POSITIVE_INFINITY;
  return resources.filter(({ createdAt }) => createdAt >= from && createdAt <= to);
}

export const knowledgeRoutes = appFamily({
  /** Does not check types: the pages name different ones. */
  "initiate-file-uploads"(request) {
    const files = objectsOf(request.body.files);
    ensureField(files.length > 0, "files", "The files must not be empty.");
    const uploads = files.map(({ fileName, mimeType, fileSize }) => {
      const size = Number(fileSize);
      ensureField(size > 0 && size <= maxFileBytes, "fileSize", "A file may have at most 50 MB.");
      const uploadId = randomUUID();
      const s3Key = `${request.appId}/uploads/${uploadId}/${fileName}`;
      putSource(request, {
        uniqueId: uploadId,
        type: "uploads",
        sourceName: fileName,
        content: "",
        isSent: false,
        signature: randomUUID(),
        readyAt: 0,
        fails: false,
      });
      return { uploadId, fileName, mimeType, fileSize, s3Key, presignedUrl: signedUrl(request, uploadId) };
    });
    return { uploads };
  },
  "delete-uploaded-file": (request) =>
    deleteSource(request, "uploads", "File and all associated data deleted successfully"),
  "list-knowledge-base-records"(request) {
    const sent = listResources<Source>(request, "source").filter(({ isSent }) => isSent);
    const show = recordOf(request);
    return replyPage(request, within(request, sent), { by: "cursor", isExact: true, show });
  },
  "get-source-pages"(request) {
    const source = sourceOfPath(request);
    const limit = request.query.integer("limit") ?? 1;
    const page = request.query.integer("page") ?? 1;
    ensureField(limit >= 1, "limit", "The limit must be at least 1.");
    ensureField(page >= 1, "page", "The page must be at least 1.");
    const all = source.content.match(/[\s\S]{1,2000}/g) ?? [""];
    const shown = all
      .map((content, index) => ({ content, pageNumber: index + 1, charCount: content.length }))
      .slice((page - 1) * limit, page * limit);
    const createdAt = new Date(source.createdAt).toISOString().replace("Z", "000");
    return {
      data: {
        sourceDetails: { fileName: source.sourceName, totalPages: all.length, createdAt },
        pageContent: shown,
      },
      meta: { current: { limit, count: shown.length } },
    };
  },
  "retry-knowledge-base-source-indexing"(request) {
    putSource(request, { ...sourceOfPath(request), ...startIndexing(request) });
    return { success: true };
  },
  "poll-knowledge-base-status"(request) {
    const ids = namesIn(request.body, "uniqueId");
    const known = listResources<Source>(request, "source").filter(
      ({ uniqueId, isSent }) => isSent && ids.includes(uniqueId),
    );
    const states = known.map((source) => [source.uniqueId, stateOf(request, source)]);
    return { success: true, data: Object.fromEntries(states) };
  },
  "add-knowledge-base-files": (request) => attach(request, "add"),
  "remove-knowledge-base-files": (request) => attach(request, "remove"),
  "create-text-entry": writeText,
  "list-text-entries": (request) => ({
    data: listResources<Source>(request, "source")
      .filter(({ type }) => type === "text")
      .map((source) => omit(showText(request, source), "vectorizationStatus", "isActive")),
  }),
  "get-text-entry": (request) => ({
    data: showText(request, textOfPath(request)),
  }),
  "update-text-entry": (request) => writeText(request, textOfPath(request)),
  "delete-text-entry": (request) =>
    deleteSource(request, "text", "Text detail and all associated data deleted successfully"),
});

function sourceOfPath(request: AppRequest) {
  return requireSource(request, request.param("sourceType"), request.param("uniqueId"));
}

function attach(request: AppRequest, verb: "add" | "remove") {
  const uid = request.param("uid");
  const type = request.param("sourceType");
  const agent = requireResource(request, "agent", uid);
  if (!["uploads", "text", "website"].includes(type)) {
    throw new PlatformError("ERR_KB_NOT_FOUND", `There is no source type ${type}.`);
  }
  const ids = namesIn(request.body, "uniqueIds");
  if (verb === "add") for (const id of ids) requireSource(request, type, id, { status: 400 });
  const list = type === "website" ? "websites" : "files";
  const others = textsOf(agent[list]).filter((id) => !ids.includes(id));
  const changed = verb === "add" ? [...others, ...new Set(ids)] : others;
  putResource(request, "agent", uid, { ...agent, [list]: changed });
  return { success: true };
}

export function addAgentUploads(app: Hono, services: Services): void {
  addOwnOfApp(app, services, {
    async "PUT /agent-uploads/:uploadId"(at, context) {
      const uploadId = context.req.param("uploadId") ?? "";
      const { signature } = requireResource(at, "source", uploadId);
      if (signature !== context.req.query("signature")) return undefined;
      const bytes = new Uint8Array(await context.req.arrayBuffer());
      services.db.transaction(() => receiveFile(at, uploadId, bytes));
      return {};
    },
  });
}

function showText(request: AppRequest, source: Source): JsonObject {
  const status = stateOf(request, source);
  return {
    ...omit(source, "appId", "type", "sourceName", "content", "isSent", "readyAt", "fails"),
    text: source.content,
    fileName: source.sourceName,
    s3Key: `${request.appId}/text/${source.uniqueId}/${source.sourceName}`,
    status,
    vectorizationStatus: status === "indexed" ? "completed" : status,
    isActive: true,
  };
}

function writeText(request: AppRequest, before?: Source) {
  const { body } = request;
  requireLengths(body, { title: 500, text: 5_000 });
  const title = String(body.title ?? before?.title);
  const uniqueId = before?.uniqueId ?? randomUUID();
  const sourceName = `${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")}.md`;
  const content = String(body.text ?? before?.content);
  putSource(request, {
    uniqueId,
    type: "text",
    title,
    sourceName,
    content,
    isSent: true,
    ...startIndexing(request),
  });
  const shown = showText(request, requireSource(request, "text", uniqueId));
  return acknowledge(
    `Text detail ${before === undefined ? "created and uploaded" : "updated"} successfully`,
    omit(shown, "text", "vectorizationStatus", "isActive", "createdAt", "updatedAt"),
  );
}

const textOfPath = (request: AppRequest) => requireSource(request, "text", request.param("uniqueId"));
