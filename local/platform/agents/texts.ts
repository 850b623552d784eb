import { randomUUID } from "node:crypto";
import { type AppRequest, appFamily } from "../http/route.ts";
import { type JsonObject, omit } from "../json.ts";
import { listResources, requireLengths } from "./agent-route.ts";
import { deleteSource, putSource, requireSource, type Source, startIndexing, stateOf } from "./knowledge.ts";

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
  return {
    success: true,
    message: `Text detail ${before === undefined ? "created and uploaded" : "updated"} successfully`,
    data: omit(shown, "text", "vectorizationStatus", "isActive", "createdAt", "updatedAt"),
  };
}

const textOfPath = (request: AppRequest) => requireSource(request, "text", request.param("uniqueId"));

export const textRoutes = appFamily({
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
