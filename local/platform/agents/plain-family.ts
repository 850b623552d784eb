import { randomUUID } from "node:crypto";
import { badRequest, ensureField } from "../errors/platform-error.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import type { Shape } from "../http/shape.ts";
import type { JsonObject } from "../json.ts";
import { deleteDocument } from "../store/documents.ts";
import {
  agentFamily,
  documentKind,
  findThing,
  type Kind,
  listThings,
  putThing,
  replyPage,
  requireLengths,
  requireThing,
  requireWord,
  type Thing,
} from "./agent-route.ts";
import { addAgentUser } from "./agent-user.ts";

/** A family of create, list, read, change and delete. */
export type PlainFamily = {
  kind: Kind;
  source: string;
  path: string;
  /** Name of the id in the path. */
  param: string;
  /** Operation ids by what they do. */
  create: string;
  list: string;
  get?: string;
  update: string;
  delete: string;
  isPaged?: boolean;
  status?: 200;
  changesBy?: "PUT";
  fields: Shape;
  /** Default: those of `fields`, none required. */
  changes?: Shape;
  limits?: Readonly<Record<string, number>>;
  words?: Readonly<Record<string, readonly string[]>>;
  /** Default: made by the service. */
  idOf?: (body: JsonObject, request: AppRequest) => string;
  /** Fields that a new one has in addition to the request's. */
  make: (body: JsonObject, id: string) => JsonObject;
  /** Further rules. @throws PlatformError */
  check?: (request: AppRequest, fields: JsonObject) => void;
  show?: (thing: Thing) => JsonObject;
  created?: (shown: JsonObject) => JsonObject;
  /** Default: the thing. */
  updated?: JsonObject;
  deleted?: (id: string) => JsonObject;
  assumptions?: readonly string[];
};

const pagedAssumptions = [
  "The default limit is 10, the most 100: no version agrees with another.",
  "`meta.previous` and `meta.next` name the page's edges also on the last page.",
];

/** The routes of a family. */
export function routesOf(family: PlainFamily): AppRoute[] {
  const { kind, path, param, words = {}, limits = {}, fields } = family;
  const route = agentFamily(family.source);
  const one = `${path}/{${param}}`;
  const show = family.show ?? ((thing: Thing) => ({ ...thing }));
  const changes = family.changes ?? optional(fields);
  const checkWords = (body: JsonObject) => {
    for (const field of ["name", "slug", "triggerFunction"]) {
      const isBlank = typeof body[field] === "string" && body[field].trim() === "";
      ensureField(!isBlank, field, `The ${field} field is required.`);
    }
    requireLengths(body, limits);
    for (const [field, allowed] of Object.entries(words)) requireWord(body, field, allowed);
  };
  const find = (request: AppRequest) => requireThing(request, kind, request.param(param));

  const create = (request: AppRequest) => {
    const body = known(request.body, fields);
    checkWords(body);
    const id = family.idOf?.(body, request) ?? randomUUID();
    if (findThing(request, kind, id) !== undefined) {
      throw badRequest({ [param]: `${id} is taken.` });
    }
    const made = { appId: request.appId, ...family.make(body, id) };
    family.check?.(request, made);
    const thing = putThing(request, kind, id, made);
    request.redactor.refresh();
    if (kind === "agent" || kind === "byo-agent") addAgentUser(request, thing);
    request.redactor.refresh();
    const shown = show(thing);
    return family.created?.(shown) ?? shown;
  };
  const list = (request: AppRequest) => {
    const search = request.query.text("search")?.toLowerCase() ?? "";
    const type = request.query.text("type");
    const things = listThings(request, kind).filter(({ name, description = "", uid = "" }) =>
      [name, description, uid].some((text) => String(text).toLowerCase().includes(search)),
    );
    if (family.isPaged) return replyPage(request, things, { by: "createdAt", isExact: false, show });
    return things.map(show).filter((shown) => type === undefined || shown.type === type);
  };
  const change = (request: AppRequest) => {
    const before = find(request);
    const body = known(request.body, changes);
    checkWords(body);
    const made = { ...before, ...body, ...idsOf(before) };
    family.check?.(request, made);
    const shown = show(putThing(request, kind, request.param(param), made));
    request.redactor.refresh();
    return family.updated ?? shown;
  };
  const remove = (request: AppRequest) => {
    find(request);
    deleteDocument(request, documentKind(kind), request.param(param));
    return (
      family.deleted?.(request.param(param)) ?? { success: true, message: "Operation completed successfully" }
    );
  };

  return [
    route(
      family.create,
      `POST ${path}`,
      create,
      ["A name that is taken is refused with ERR_BAD_REQUEST.", ...(family.assumptions ?? [])],
      { input: { body: fields }, status: family.status ?? 201 },
    ),
    route(family.list, `GET ${path}`, list, family.isPaged ? pagedAssumptions : [], {
      input: family.isPaged ? { query: { limit: "integer", createdAt: "integer" } } : {},
    }),
    ...(family.get === undefined ? [] : [route(family.get, `GET ${one}`, (request) => show(find(request)))]),
    route(family.update, `${family.changesBy ?? "PATCH"} ${one}`, change, [], {
      input: { body: changes, needs: { any: Object.keys(changes).map(nameOf) } },
    }),
    route(family.delete, `DELETE ${one}`, remove),
  ];
}

/** What names a thing never changes. */
function idsOf(thing: Thing): JsonObject {
  return Object.fromEntries(
    ["uid", "slug", "_id", "triggerFunction", ...(thing.displayName === undefined ? [] : ["name"])].flatMap(
      (name) => (name in thing ? [[name, thing[name]]] : []),
    ),
  );
}

function known(body: JsonObject, shape: Shape): JsonObject {
  const names = Object.keys(shape).map(nameOf);
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => names.includes(name) && value !== undefined),
  );
}

/** None of the fields is required. */
export function optional(shape: Shape): Shape {
  return Object.fromEntries(Object.entries(shape).map(([name, type]) => [nameOf(name), type]));
}

function nameOf(key: string): string {
  return key.replace(/!$/, "");
}
