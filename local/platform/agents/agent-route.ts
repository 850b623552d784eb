import { badRequest, ensureField, found } from "../errors/platform-error.ts";
import type { AppRequest } from "../http/route.ts";
import { isStringArray, type JsonObject } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { type AppData, getDocument, listDocuments, putDocument } from "../store/database.ts";
import { findUser, putUser } from "../store/users.ts";

/** Times are milliseconds; `createdAt` is unique per kind. */
export type AgentResource = JsonObject & { createdAt: number; updatedAt: number };

const codes = {
  agent: "ERR_AGENT_NOT_FOUND",
  "byo-agent": "ERR_AGENT_NOT_FOUND",
  "api-tool": "ERR_TOOL_NOT_FOUND",
  "frontend-action": "ERR_TOOL_NOT_FOUND",
  "mcp-server": "ERR_TOOL_NOT_FOUND",
  "byo-tool": "ERR_TOOL_NOT_FOUND",
  source: "ERR_KB_NOT_FOUND",
  variable: "ERR_NOT_FOUND",
} as const;

export type Kind = keyof typeof codes;

export function requireResource<T extends AgentResource = AgentResource>(
  data: AppData,
  kind: Kind,
  id: string,
  status = 404,
): T {
  const resource = getDocument<T>(data, documentKind(kind), id);
  return found(resource, codes[kind], `The ${kind} ${id} does not exist.`, { status });
}

export function requireResources(data: AppData, kind: Kind, ids: readonly string[]): void {
  for (const id of ids) requireResource(data, kind, id, 400);
}

export function findResource(data: AppData, kind: Kind, id: string): AgentResource | undefined {
  return getDocument(data, documentKind(kind), id);
}

export function listResources<T extends AgentResource = AgentResource>(data: AppData, kind: Kind): T[] {
  return listDocuments<T>(data, documentKind(kind)).toSorted((one, other) => other.createdAt - one.createdAt);
}

export function findPart(data: AppData, kind: Kind, name: string): AgentResource | undefined {
  return findResource(data, kind, kind === "frontend-action" ? `${data.appId}_${name}` : name);
}

export function putResource(
  services: AppServices,
  kind: Kind,
  id: string,
  fields: JsonObject,
): AgentResource {
  const now = services.clock.now();
  const newest = Math.max(0, ...listResources(services, kind).map(({ createdAt }) => createdAt));
  const createdAt = findResource(services, kind, id)?.createdAt ?? Math.max(now, newest + 1);
  const resource = { ...fields, createdAt, updatedAt: Math.max(now, createdAt) };
  putDocument(services, documentKind(kind), id, resource);
  return resource;
}

export function documentKind(kind: Kind): string {
  return `agents-${kind}`;
}

export function requireLengths(body: JsonObject, limits: Readonly<Record<string, number>>): void {
  for (const [field, limit] of Object.entries(limits)) {
    const value = body[field];
    ensureField(
      typeof value !== "string" || value.length <= limit,
      field,
      `The ${field} may have at most ${limit} characters.`,
    );
  }
}

export function namesIn(body: JsonObject, field: string): string[] {
  const names = body[field];
  if (isStringArray(names) && names.length > 0) return names;
  throw badRequest({ [field]: `The ${field} must not be empty.` });
}

interface PageOptions<T> {
  by: "createdAt" | "cursor";
  most?: number;
  isExact: boolean;
  show: (resource: T) => JsonObject;
}

/** `append` continues with older items. `isExact` names an edge only if more items follow. */
export function replyPage<T extends AgentResource>(
  { query }: AppRequest,
  resources: readonly T[],
  { by, most = 100, isExact, show }: PageOptions<T>,
): JsonObject {
  const limit = query.integer("limit") ?? 10;
  ensureField(limit >= 1 && limit <= most, "limit", `The limit must be between 1 and ${most}.`);
  const affix = query.text("affix") ?? "append";
  const at = query.text(by);
  ensureField(at === undefined || /^\d{1,15}$/.test(at), by, `The ${by} must be that of an earlier answer.`);
  const isNewer = affix === "prepend";
  const rest = resources.filter(
    ({ createdAt }) => at === undefined || (isNewer ? createdAt > Number(at) : createdAt < Number(at)),
  );
  const shown = isNewer && at !== undefined ? rest.slice(-limit) : rest.slice(0, limit);
  const edge = (name: string, resource: AgentResource | undefined, end: AgentResource | undefined) =>
    resource === undefined || (isExact && resource === end)
      ? {}
      : {
          [name]: {
            affix: name === "next" ? "append" : "prepend",
            [by]: by === "cursor" ? String(resource.createdAt) : resource.createdAt,
          },
        };
  return {
    data: shown.map(show),
    meta: {
      current: { limit, count: shown.length },
      ...edge("previous", shown.at(0), resources.at(0)),
      ...edge("next", shown.at(-1), resources.at(-1)),
    },
  };
}

export function textsOf(value: unknown): string[] {
  return isStringArray(value) ? value : [];
}

export function addAgentUser(services: AppServices, { uid, name, icon }: JsonObject): void {
  if (findUser(services, String(uid)) !== undefined) return;
  const avatar = icon ? { avatar: String(icon) } : {};
  putUser(services, {
    uid: String(uid),
    name: String(name),
    status: "offline",
    role: "@agentic",
    createdAt: nowSeconds(services),
    ...avatar,
  });
}
