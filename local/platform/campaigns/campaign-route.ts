import { PlatformError } from "../errors/platform-error.ts";
import { readCursor } from "../http/cursor.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import type { InputRules } from "../http/shape.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { getDocument, listDocuments, putDocument } from "../store/documents.ts";

/**
 * Makes a route of the campaigns interface, relative to `/campaigns`. The shapes of answers are assumed. Operations that
 * are not `forUsers` refuse the onBehalfOf header (documented for some of them, assumed for the others).
 */
export function campaignRoute(
  operationId: string,
  line: `${AppRoute["method"]} /${string}`,
  handler: AppRoute["handler"],
  more: { forUsers?: boolean; assumptions?: readonly string[]; input?: InputRules } = {},
): AppRoute {
  const { forUsers = false, assumptions = [], input = {} } = more;
  const method = methods.find((known) => line.startsWith(`${known} `)) ?? "GET";
  return {
    operationId,
    method,
    path: `/campaigns${line.slice(method.length + 1)}`,
    fidelity: "assumed",
    source: "docs/platform/campaigns.md#campaigns",
    onBehalfOf: "optional",
    assumptions: ["The shape of the answer is not documented.", ...assumptions],
    input,
    refuseInput: (details) =>
      refuse("ERR_VALIDATION", Object.values(details)[0] ?? "The input is not valid."),
    handler(request) {
      if (request.actor !== undefined && !forUsers) {
        throw refuse("ERR_VALIDATION", "The onbehalfof header must not be sent with this operation.");
      }
      return handler(request);
    },
  };
}

/** The cursor of lists that are sorted by their last change. */
export const byUpdate = { query: { updatedAt: "integer", limit: "integer" } } as const;

/** Names the kinds of objects of the campaigns interface. */
export type CampaignKind =
  | "category"
  | "template"
  | "channel"
  | "campaign"
  | "feed-item"
  | "push-notification";

/** Reads one object. @throws PlatformError with the code of its kind (ERR_NOT_FOUND unless there is an own one) */
export function requireObject(request: AppRequest, kind: CampaignKind, id: string): JsonObject {
  const stored = getDocument(request.db, request.app.appId, documentKind(kind), id);
  if (stored === undefined) {
    const code = notFoundCodes[kind] ?? "ERR_NOT_FOUND";
    throw new PlatformError(code, `The ${kind} with id ${id} does not exist.`, { source });
  }
  return stored;
}

/** Stores an object with its times, which begin and change in unix seconds. */
export function putObject(
  request: AppRequest,
  kind: CampaignKind,
  object: JsonObject & { id: string },
): JsonObject {
  const at = nowSeconds(request);
  const stored = { createdAt: at, ...object, updatedAt: at };
  putDocument(request.db, request.app.appId, documentKind(kind), object.id, stored);
  return stored;
}

/** Lists the objects of a kind, oldest first. */
export function listObjects(request: AppRequest, kind: CampaignKind): JsonObject[] {
  return listDocuments(request.db, request.app.appId, documentKind(kind));
}

/** Answers `{data: [...], meta: {current, next}}`. `sortField` names the field of the cursor beside the id. */
export function listReply(request: AppRequest, objects: JsonObject[], sortField: string): Reply {
  const cursor = readCursor(request.query, 50);
  const sort = request.query.text("sort") ?? sortField;
  const direction = request.query.text("order") === "asc" ? 1 : -1;
  const sorted = objects.toSorted((left, right) => direction * compare(left[sort], right[sort]));
  const at = sorted.findIndex(({ id }) => id === cursor.id);
  const rest =
    at === -1
      ? sorted
      : cursor.affix === "append"
        ? sorted.slice(at + 1)
        : sorted.slice(0, at).slice(-cursor.limit);
  const shown = rest.slice(0, cursor.limit);
  const edge = cursor.affix === "append" ? shown.at(-1) : shown.at(0);
  return reply(shown, {
    meta: {
      current: { limit: cursor.limit, count: shown.length },
      ...(edge === undefined ? {} : { next: { affix: cursor.affix, [sort]: edge[sort], id: edge.id } }),
    },
  });
}

/** Answers with another status than 200. */
export function replyWith(status: 201 | 202, data: unknown): Reply {
  return { ...reply(data), status };
}

/** Keeps the objects whose fields equal the query's, for the parameters that are there, and whose name has `search`. */
export function filterObjects(
  request: AppRequest,
  objects: JsonObject[],
  fields: readonly string[],
): JsonObject[] {
  const search = request.query.text("search")?.toLowerCase();
  return objects
    .filter((object) =>
      fields.every((field) => [undefined, object[field]].includes(request.query.text(field))),
    )
    .filter(({ name }) => search === undefined || String(name).toLowerCase().includes(search));
}

/**
 * Refuses a body or a state.
 * @see docs/platform/campaigns.md#statuses-and-errors (ERR_VALIDATION is 400, ERR_CONFLICT 409)
 */
export function refuse(code: "ERR_VALIDATION" | "ERR_CONFLICT", message: string): PlatformError {
  return new PlatformError(code, message, { source });
}

/** Reads the field of a body that has to be a text. @throws PlatformError ERR_VALIDATION */
export function validText(body: JsonObject, field: string): string {
  const value = body[field];
  if (typeof value === "string" && value.trim() !== "") return value;
  throw refuse("ERR_VALIDATION", `The ${field} must be a string that is not empty.`);
}

/** Picks the fields of a body that are there. */
export function pick(body: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]])),
  );
}

/** Reads the channels of a template or of the body of one. */
export function channelsOf({ channels }: JsonObject): JsonObject[] {
  return Array.isArray(channels) ? channels.filter(isJsonObject) : [];
}

/** Names the documents of a kind. */
export function documentKind(kind: CampaignKind): string {
  return `campaigns-${kind}`;
}

function compare(left: unknown, right: unknown): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return String(left).localeCompare(String(right));
}

const source = "campaigns-service";
const methods = ["GET", "POST", "PUT", "DELETE"] as const;
const notFoundCodes: Partial<
  Record<CampaignKind, "ERR_TEMPLATE_NOT_FOUND" | "ERR_CHANNEL_NOT_FOUND" | "ERR_FEED_ITEM_NOT_FOUND">
> = {
  template: "ERR_TEMPLATE_NOT_FOUND",
  channel: "ERR_CHANNEL_NOT_FOUND",
  "feed-item": "ERR_FEED_ITEM_NOT_FOUND",
};
