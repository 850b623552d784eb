import { randomUUID } from "node:crypto";
import { badRequest, ensureField } from "../errors/platform-error.ts";
import { type AppRequest, type AppRoute, acknowledge, appFamily } from "../http/route.ts";
import { known } from "../http/shape.ts";
import type { JsonObject } from "../json.ts";
import { deleteDocument } from "../store/database.ts";
import {
  type AgentResource,
  addAgentUser,
  documentKind,
  findResource,
  type Kind,
  listResources,
  putResource,
  replyPage,
  requireLengths,
  requireResource,
} from "./agent-route.ts";

export type PlainFamily = {
  kind: Kind;
  /** The noun in operation ids. Default: the kind. */
  noun?: string;
  param: string;
  hasGet?: false;
  isPaged?: true;
  limits: Readonly<Record<string, number>>;
  idOf?: (body: JsonObject, request: AppRequest) => string;
  make: (body: JsonObject, id: string) => JsonObject;
  check?: (request: AppRequest, fields: JsonObject) => void;
  show?: (resource: AgentResource) => JsonObject;
  deleted?: (id: string) => JsonObject;
};

export function routesOf(family: PlainFamily): AppRoute[] {
  const { kind, noun = kind, param, show = showWhole } = family;
  return appFamily({
    [`create-${noun}`]: (request) => create(request, family, known(request.body, `create-${noun}`)),
    [`list-${noun}s`]: (request) => list(request, family),
    ...(family.hasGet !== false && { [`get-${noun}`]: (request: AppRequest) => show(find(request, family)) }),
    [`update-${noun}`]: (request) => change(request, family, known(request.body, `update-${noun}`)),
    [`delete-${noun}`](request) {
      find(request, family);
      const id = request.param(param);
      deleteDocument(request, documentKind(kind), id);
      return family.deleted?.(id) ?? acknowledge("Operation completed successfully");
    },
  });
}

function showWhole(resource: AgentResource) {
  return { ...resource };
}

function find(request: AppRequest, { kind, param }: PlainFamily) {
  return requireResource(request, kind, request.param(param));
}

function create(request: AppRequest, family: PlainFamily, body: JsonObject) {
  const { kind, idOf = () => randomUUID(), show = showWhole } = family;
  checkTexts(body, family);
  const id = idOf(body, request);
  if (findResource(request, kind, id) !== undefined) throw badRequest({ [family.param]: `${id} is taken.` });
  const made = { appId: request.appId, ...family.make(body, id) };
  family.check?.(request, made);
  const resource = putResource(request, kind, id, made);
  request.redactor.refresh();
  if (!isAgent(kind)) return show(resource);
  addAgentUser(request, resource);
  return { agent: show(resource) };
}

function list(request: AppRequest, { kind, isPaged, show = showWhole }: PlainFamily) {
  const search = request.query.text("search")?.toLowerCase() ?? "";
  const type = request.query.text("type");
  const resources = listResources(request, kind).filter(({ name, description = "", uid = "" }) =>
    [name, description, uid].some((text) => String(text).toLowerCase().includes(search)),
  );
  if (isPaged)
    return replyPage(request, resources, {
      by: "createdAt",
      most: isAgent(kind) ? 100 : 10,
      isExact: false,
      show,
    });
  return resources.map(show).filter((shown) => type === undefined || shown.type === type);
}

function change(request: AppRequest, family: PlainFamily, body: JsonObject) {
  const { kind, show = showWhole } = family;
  const before = find(request, family);
  checkTexts(body, family);
  const made = { ...before, ...body, ...idsOf(before) };
  family.check?.(request, made);
  const shown = show(putResource(request, kind, request.param(family.param), made));
  request.redactor.refresh();
  return isAgent(kind) ? { success: true } : shown;
}

function isAgent(kind: Kind) {
  return kind === "agent" || kind === "byo-agent";
}

function checkTexts(body: JsonObject, { limits }: PlainFamily) {
  for (const field of ["name", "slug", "triggerFunction"]) {
    const isBlank = typeof body[field] === "string" && body[field].trim() === "";
    ensureField(!isBlank, field, `The ${field} field is required.`);
  }
  requireLengths(body, limits);
}

function idsOf(resource: AgentResource) {
  const names = [
    "uid",
    "slug",
    "_id",
    "triggerFunction",
    ...(resource.displayName === undefined ? [] : ["name"]),
  ];
  return Object.fromEntries(names.flatMap((name) => (name in resource ? [[name, resource[name]]] : [])));
}
