import { found, PlatformError, type Refuse } from "../errors/platform-error.ts";
import {
  type AppRequest,
  type AppRoute,
  appFamily,
  cursorMeta,
  type Reply,
  readCursor,
  reply,
} from "../http/route.ts";
import { known } from "../http/shape.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/database.ts";

/** Refuses onBehalfOf where not allowed (partly assumed). */
export function campaignFamily(handlers: Parameters<typeof appFamily>[0]): AppRoute[] {
  const refuseInput: Refuse = (details) =>
    refuse("ERR_VALIDATION", Object.values(details)[0] ?? "The input is not valid.");
  return appFamily(handlers).map((made) => ({
    ...made,
    refuseInput,
    fidelity: documented.includes(made.operationId) ? "documented" : "assumed",
    onBehalfOf: "optional",
    handler(request) {
      if (request.actor === undefined || made.onBehalfOf === "optional") return made.handler(request);
      throw refuse("ERR_VALIDATION", "The onbehalfof header must not be sent with this operation.");
    },
  }));
}

const documented = [
  "NotificationSendController_send",
  "NotificationFeedController_findFeed",
  "NotificationFeedController_delete",
  "AnalyticsController_getUserInsights",
];

export function storedFamily(
  controller: string,
  kind: CampaignKind,
  given: {
    fields?: string[];
    ids?: [string, string];
    show?: (object: JsonObject) => JsonObject;
    check?: (request: AppRequest) => void;
  } = {},
): AppRoute[] {
  const { fields = [], ids = ["findAll", "findById"], show = (object) => object, check } = given;
  const update = `${controller}_update`;
  return campaignFamily({
    [`${controller}_${ids[0]}`](request) {
      const objects = filterObjects(request, listObjects(request, kind), fields);
      return listReply(request, objects.map(show), "updatedAt");
    },
    [`${controller}_${ids[1]}`]: (request) => show(requireObject(request, kind)),
    [update](request) {
      check?.(request);
      return show(changeObject(request, kind, known(request.body, update)));
    },
  });
}

export type CampaignKind =
  | "category"
  | "template"
  | "channel"
  | "campaign"
  | "feed-item"
  | "push-notification";

export function requireObject<T = JsonObject & { id: string }>(
  request: AppRequest,
  kind: CampaignKind,
  id = request.param("id"),
): T {
  const stored = getDocument<T>(request, documentKind(kind), id);
  return found(stored, notFoundCodes[kind] ?? "ERR_NOT_FOUND", `The ${kind} with id ${id} does not exist.`, {
    source,
  });
}

export function changeObject(request: AppRequest, kind: CampaignKind, fields: JsonObject): JsonObject {
  return putObject(request, kind, { ...requireObject(request, kind), ...fields, id: request.param("id") });
}

export function deleteObject(request: AppRequest, kind: CampaignKind, { id }: { id: string }): JsonObject {
  deleteDocument(request, documentKind(kind), id);
  return { id, success: true };
}

export function createObject(
  request: AppRequest,
  kind: CampaignKind,
  object: JsonObject & { id: string },
): JsonObject {
  const isTaken = getDocument(request, documentKind(kind), object.id) !== undefined;
  if (isTaken) throw refuse("ERR_CONFLICT", `The ${kind} ${object.id} already exists.`);
  return putObject(request, kind, object);
}

/** Times are unix seconds. */
export function putObject(
  request: AppRequest,
  kind: CampaignKind,
  object: JsonObject & { id: string },
): JsonObject {
  const at = nowSeconds(request);
  const stored = { createdAt: at, ...object, updatedAt: at };
  putDocument(request, documentKind(kind), object.id, stored);
  return stored;
}

export function listObjects(request: AppRequest, kind: CampaignKind): JsonObject[] {
  return listDocuments(request, documentKind(kind));
}

export function listReply(request: AppRequest, objects: JsonObject[], sortField: string): Reply {
  const cursor = readCursor(request.query, 50);
  const sort = request.query.text("sort") ?? sortField;
  const direction = request.query.text("order") === "asc" ? 1 : -1;
  const sorted = objects.toSorted((left, right) => direction * compare(left[sort], right[sort]));
  const at = sorted.findIndex(({ id }) => id === cursor.id);
  const isBackwards = at !== -1 && cursor.affix === "prepend";
  const shown = isBackwards
    ? sorted.slice(0, at).slice(-cursor.limit)
    : sorted.slice(at + 1).slice(0, cursor.limit);
  return reply(shown, {
    meta: cursorMeta(cursor, shown, (edge) => ({ [sort]: edge[sort], id: edge.id })),
  });
}

export function filterObjects(
  { query }: AppRequest,
  objects: JsonObject[],
  fields: readonly string[],
): JsonObject[] {
  const search = query.text("search")?.toLowerCase() ?? "";
  return objects.filter(
    (object) =>
      fields.every((field) => [undefined, object[field]].includes(query.text(field))) &&
      String(object.name).toLowerCase().includes(search),
  );
}

/** @see docs/internals/platform/campaigns.md#statuses-and-errors (ERR_VALIDATION is 400, ERR_CONFLICT 409) */
export function refuse(code: "ERR_VALIDATION" | "ERR_CONFLICT", message: string): PlatformError {
  return new PlatformError(code, message, { source });
}

export function validText(body: JsonObject, field: string): string {
  const value = body[field];
  if (typeof value === "string" && value.trim() !== "") return value;
  throw refuse("ERR_VALIDATION", `The ${field} must be a string that is not empty.`);
}

function documentKind(kind: CampaignKind) {
  return `campaigns-${kind}`;
}

function compare(left: unknown, right: unknown) {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return String(left).localeCompare(String(right));
}

const source = "campaigns-service";
const notFoundCodes: Partial<
  Record<CampaignKind, "ERR_TEMPLATE_NOT_FOUND" | "ERR_CHANNEL_NOT_FOUND" | "ERR_FEED_ITEM_NOT_FOUND">
> = {
  template: "ERR_TEMPLATE_NOT_FOUND",
  channel: "ERR_CHANNEL_NOT_FOUND",
  "feed-item": "ERR_FEED_ITEM_NOT_FOUND",
};
