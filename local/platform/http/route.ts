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
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the surface's base: `/users/{uid}` */
  path: string;
  fidelity: Fidelity;
  /** Where the behaviour is described, e.g. "docs/internals/platform/messages.md#pins-and-saves". */
  source: string;
  /** Assumptions within a documented operation. */
  assumptions: readonly string[];
} & InputRules;

export type AppRoute = RouteBase & {
  surface?: "chat" | "calls";
  onBehalfOf: "required" | "optional" | "unsupported";
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
  route: InputRules & { operationId: string; handler: Handler<Request> },
  request: Request,
): Promise<Reply> {
  requireInput(route, request);
  const answer = await request.db.transaction(() => route.handler(request));
  return answer instanceof Reply ? answer : new Reply({ data: answer });
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

export type Line = `${AppRoute["method"]} ${string}`;

type Stated = "operationId" | "method" | "path" | "source" | "handler" | "assumptions";

/**
 * `route("get-user", "GET /users/{uid}", getUser)`, then assumptions. Default: documented, without
 * onBehalfOf.
 */
export function appFamily(source: string, family: Partial<Omit<AppRoute, Stated>> = {}) {
  return declare<AppRoute>({ fidelity: "documented", onBehalfOf: "unsupported", ...family, source });
}

export function managementFamily(source: string) {
  return declare<ManagementRoute>({ fidelity: "documented", source });
}

function declare<R extends AppRoute | ManagementRoute>(family: Omit<R, Exclude<Stated, "source">>) {
  return (
    operationId: string,
    line: Line,
    handler: R["handler"],
    assumptions: readonly string[] = [],
    more: Partial<Omit<R, Stated>> = {},
  ) => {
    const method = methods.find((known) => line.startsWith(`${known} `)) ?? "GET";
    return {
      ...family,
      operationId,
      method,
      path: line.slice(method.length + 1),
      handler,
      assumptions,
      ...more,
    };
  };
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
