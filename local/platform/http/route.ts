import { allOperations, type CatalogueOperation } from "../catalogue/operations.ts";
import type { Fidelity } from "../fidelity.ts";
import type { JsonObject } from "../json.ts";
import type { AppServices } from "../services/services.ts";
import type { ApiKey } from "../store/apps.ts";
import type { Query } from "../store/query.ts";
import type { User } from "../store/users.ts";
import type { Generation } from "../store/webhooks.ts";
import { Reply } from "./reply.ts";
import { type InputRules, requireInput } from "./shape.ts";

/** The ledger is made from these fields. */
type RouteBase = {
  operationId: string;
  method: string;
  /** Below the surface's base: `/users/{uid}` */
  path: string;
  fidelity: Fidelity;
  /** Where the behaviour is described, e.g. "docs/internals/platform/messages.md#pins-and-saves". */
  source: string;
  /** Assumptions within a documented operation. */
  assumptions: readonly string[];
  onBehalfOf: "required" | "optional" | "unsupported";
  surface: "chat" | "calls";
  /** Of a success. */
  status: number;
  /** The answer has no `data` around it. */
  isBare: boolean;
} & InputRules;

export type AppRoute = RouteBase & {
  allowsAuthOnly?: boolean;
  handler: Handler<AppRequest>;
};

/** Paths with `{appId}` get the app looked up. */
export type ManagementRoute = RouteBase & {
  authentication?: "basic";
  handler: Handler<ManagementRequest>;
};

/** @throws PlatformError */
type Handler<Request> = (request: Request) => object | Promise<object>;

/** One transaction, unless the handler waits. */
export async function runRoute<Request extends Pick<ManagementRequest, "db" | "body" | "query">>(
  route: RouteBase & { handler: Handler<Request> },
  request: Request,
): Promise<Reply> {
  requireInput(route, request);
  const answer = await request.db.transaction(() => route.handler(request));
  if (answer instanceof Reply) return answer;
  return new Reply(route.isBare ? answer : { data: answer }, route.status);
}

export type AppRequest = AppServices & {
  apiKey: ApiKey;
  /** Undefined if the app itself acts. */
  actor: User | undefined;
  /** Decoded. Throws for an undeclared parameter. */
  param(name: string): string;
  query: Query;
  body: JsonObject;
  origin: string;
} & SentBody;

export type SentBody = { rawBody: Uint8Array; contentType: string };

/** Where the path names no app, `app` is `noApp`. */
export type ManagementRequest = AppServices & {
  generation: Generation;
  param(name: string): string;
  query: Query;
  body: JsonObject;
} & SentBody;

type Stated = "operationId" | "source" | "handler" | "assumptions" | keyof Found;

/** `route("get-user", getUser)`, then assumptions. Default: documented. The catalogue says where it is. */
export function appFamily(source: string, family: Partial<Omit<AppRoute, Stated>> = {}) {
  return declare<AppRoute>(appOperations, { fidelity: "documented", ...family, source });
}

export function managementFamily(source: string) {
  return declare<ManagementRoute>(managementOperations, { fidelity: "documented", source });
}

type Found = Pick<RouteBase, "method" | "path" | "onBehalfOf" | "surface" | "status" | "isBare">;

function declare<R extends AppRoute | ManagementRoute>(
  operations: ReadonlyMap<string, Found>,
  family: Omit<R, Exclude<Stated, "source">>,
) {
  return (
    operationId: string,
    handler: R["handler"],
    assumptions: readonly string[] = [],
    more: Partial<Omit<R, Stated>> = {},
  ) => {
    const operation = operations.get(operationId);
    if (operation === undefined) throw new Error(`The catalogue has no operation ${operationId}.`);
    return { ...family, operationId, ...operation, handler, assumptions, ...more };
  };
}

const appOperations = operationsOf((api) => api !== "management");
const managementOperations = operationsOf((api) => api === "management");

function operationsOf(isOf: (api: CatalogueOperation["api"]) => boolean) {
  const operations = allOperations().filter(({ api }) => isOf(api));
  return new Map(
    operations.map(({ api, id, method, path, onBehalfOf, status = 200, isBare = false }) => {
      const surface: RouteBase["surface"] = api === "calls" ? api : "chat";
      return [id, { method, path, onBehalfOf, surface, status, isBare }];
    }),
  );
}
