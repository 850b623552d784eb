import { allOperations, type CatalogueOperation } from "../catalogue/operations.ts";
import { badRequest } from "../errors/platform-error.ts";
import type { Fidelity } from "../fidelity.ts";
import type { JsonObject } from "../json.ts";
import type { AppServices } from "../services/services.ts";
import type { ApiKey } from "../store/apps.ts";
import type { Query } from "../store/query.ts";
import type { User } from "../store/users.ts";
import type { Generation } from "../store/webhooks.ts";
import { type InputRules, requireInput } from "./shape.ts";

type RouteBase = CatalogueOperation & InputRules & { operationId: string; fidelity: Fidelity };

export type AppRoute = RouteBase & {
  surface: "chat" | "calls";
  allowsAuthOnly?: boolean;
  handler: Handler<AppRequest>;
};

export type ManagementRoute = RouteBase & {
  surface: "management";
  authentication?: "basic";
  handler: Handler<ManagementRequest>;
};

type Handler<Request> = (request: Request) => object | Promise<object>;

/** Runs in one transaction, unless the handler waits. */
export async function runRoute<Request extends BaseRequest>(
  route: RouteBase & { handler: Handler<Request> },
  request: Request,
): Promise<Reply> {
  requireInput(route, request);
  const answer = await request.db.transaction(() => route.handler(request));
  if (answer instanceof Reply) return answer;
  return new Reply(route.isBare ? answer : { data: answer }, route.status);
}

export type SentBody = { rawBody: Uint8Array; contentType: string };

type BaseRequest = AppServices &
  SentBody & {
    /** Returns the decoded value. @throws Error for an undeclared parameter */
    param(name: string): string;
    query: Query;
    body: JsonObject;
  };

export type AppRequest = BaseRequest & {
  apiKey: ApiKey;
  /** Undefined if the app itself acts. */
  actor: User | undefined;
  origin: string;
};

/** Where the path names no app, `app` is `noApp`. */
export type ManagementRequest = BaseRequest & { generation: Generation };

type Family<R extends AppRoute | ManagementRoute> = Readonly<
  Record<string, R["handler"] | (Pick<R, "handler"> & Partial<R>)>
>;

/** Keyed by operation; ledger/routes.txt has what is known of it. */
export function appFamily(handlers: Family<AppRoute>): AppRoute[] {
  return describeAll<AppRoute>(handlers, (api) => api !== "management").map((route) => {
    return { surface: route.api === "calls" ? "calls" : "chat", ...route };
  });
}

export function managementFamily(handlers: Family<ManagementRoute>): ManagementRoute[] {
  return describeAll<ManagementRoute>(handlers, (api) => api === "management").map((route) => {
    return { surface: "management", ...route };
  });
}

const operations = allOperations();

function describeAll<R extends AppRoute | ManagementRoute>(
  handlers: Family<R>,
  isOf: (api: CatalogueOperation["api"]) => boolean,
) {
  return Object.entries(handlers).map(([operationId, given]) => {
    const operation = operations.find(({ api, id }) => id === operationId && isOf(api));
    if (operation === undefined) throw new Error(`The catalogue has no operation ${operationId}.`);
    const own = typeof given === "function" ? { handler: given } : given;
    return { ...operation, operationId, fidelity: "documented" as const, ...own };
  });
}

export class Reply {
  readonly body: object;
  readonly status: number;

  constructor(body: object, status = 200) {
    this.body = body;
    this.status = status;
  }
}

export function reply(data: unknown, extra: { meta?: JsonObject; cursor?: JsonObject }): Reply {
  return new Reply({ data, ...extra });
}

export function acknowledge(message: string, data?: JsonObject): JsonObject {
  return { success: true, message, data };
}

type Page = { page: number; perPage: number; limit: number; offset: number };

/**
 * Reads `page` from 1, `perPage` to 1000. @see docs/internals/platform/answers-and-errors.md#lists-by-page
 */
export function readPage(query: Query, defaultPerPage = 100): Page {
  const page = query.integer("page") ?? 1;
  const perPage = query.integer("perPage") ?? defaultPerPage;
  if (page < 1) throw badRequest({ page: "The page must be at least 1." });
  if (perPage < 1 || perPage > 1_000)
    throw badRequest({ perPage: "The perPage must be between 1 and 1000." });
  return { page, perPage, limit: perPage, offset: (page - 1) * perPage };
}

export function pageMeta(page: Page, total: number, count: number): JsonObject {
  return {
    pagination: {
      total,
      count,
      per_page: page.perPage,
      current_page: page.page,
      total_pages: Math.max(1, Math.ceil(total / page.perPage)),
    },
  };
}

export function replyPage<T>(
  query: Query,
  items: readonly T[],
  { show = (item) => item, perPage = 100 }: { show?: (item: T) => unknown; perPage?: number } = {},
): Reply {
  const page = readPage(query, perPage);
  const shown = items.slice(page.offset, page.offset + page.limit).map(show);
  return reply(shown, { meta: pageMeta(page, items.length, shown.length) });
}

export function searched<T>(query: Query, items: readonly T[], textsOf: (item: T) => string[]): T[] {
  const key = query.text("searchKey")?.toLowerCase() ?? "";
  return items.filter((item) => textsOf(item).some((text) => text.toLowerCase().includes(key)));
}

export function changeCursor(
  last: { createdAt: number; updatedAt?: number } | undefined,
  affix = "append",
): JsonObject {
  return last === undefined ? {} : { cursor: { updatedAt: last.updatedAt ?? last.createdAt, affix } };
}

type Cursor = { affix: "append" | "prepend"; limit: number; id: string | undefined };

/**
 * Defaults to `append`, as the examples' `meta.next`.
 * @see docs/internals/platform/answers-and-errors.md#lists-by-cursor
 */
export function readCursor(query: Query, defaultLimit: number): Cursor {
  const affix = readAffix(query);
  return { affix, limit: readLimit(query, defaultLimit), id: query.text("id") };
}

/** Names the last item in reading direction; an empty page has no `meta.next` (assumed). */
export function cursorMeta<T>(
  { affix, limit }: Pick<Cursor, "affix" | "limit">,
  items: readonly T[],
  positionOf: (edge: T) => JsonObject,
): JsonObject {
  const edge = affix === "append" ? items.at(-1) : items.at(0);
  return {
    current: { limit, count: items.length },
    ...(edge !== undefined && { next: { affix, ...positionOf(edge) } }),
  };
}

/** Lists all without a limit; the one shown is then at least the example's 10. */
export function replyLimited(items: readonly unknown[], limit = Math.max(10, items.length)): Reply {
  return reply(items, { meta: { current: { limit, count: items.length } } });
}

export function readLimit(query: Query, defaultLimit: number): number {
  const limit = query.integer("limit") ?? defaultLimit;
  if (limit < 1 || limit > 1_000) throw badRequest({ limit: "The limit must be between 1 and 1000." });
  return limit;
}

export function readAffix(query: Query): Cursor["affix"] {
  const affix = query.text("affix") ?? "append";
  if (affix === "append" || affix === "prepend") return affix;
  throw badRequest({ affix: "The affix must be append or prepend." });
}
