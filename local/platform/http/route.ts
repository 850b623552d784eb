import type { Fidelity } from "../fidelity.ts";
import type { JsonObject } from "../json.ts";
import type { AppServices } from "../services/services.ts";
import type { ApiKey } from "../store/api-keys.ts";
import type { Query } from "../store/query.ts";
import type { User } from "../store/users.ts";
import type { Generation } from "../store/webhooks.ts";
import { Reply } from "./reply.ts";
import { type InputRules, type Refuse, requireInput } from "./shape.ts";

/** What both kinds of route declare. The ledger is made from these fields. */
type RouteBase = {
  operationId: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the surface's base, with `{name}` for parameters, e.g. `/users/{uid}`. */
  path: string;
  fidelity: Fidelity;
  /** Where the behaviour is described, e.g. "docs/internals/platform/messages.md#pins-and-saves". */
  source: string;
  /** What of this operation is assumed although the operation is documented. */
  assumptions: readonly string[];
  /** Checked before the handler runs. */
  input?: InputRules;
  /** How input that breaks the rules is refused; default: ERR_BAD_REQUEST. */
  refuseInput?: Refuse;
};

/** A route below `https://{appId}.api-{region}…/v3` (`call-` for the calls surface). */
export type AppRoute = RouteBase & {
  surface?: "chat" | "calls";
  onBehalfOf: "required" | "optional" | "unsupported";
  /** True when an authOnly key is enough. */
  allowsAuthOnly?: boolean;
  handler: Handler<AppRequest>;
};

/** A route of the management host. Paths with `{appId}` get the app looked up. */
export type ManagementRoute = RouteBase & {
  /** How the caller says who it is; default: the headers `key` and `secret`. */
  authentication?: "basic";
  handler: Handler<ManagementRequest>;
};

/** Answers a request: with the data of a 200, or with a whole reply. @throws PlatformError */
type Handler<Request> = (request: Request) => object | Promise<object>;

/**
 * Answers a request by its route. What a handler writes is one transaction, unless it waits. @throws
 * PlatformError
 */
export async function runRoute<Request extends Pick<ManagementRequest, "db" | "body" | "query">>(
  {
    input = {},
    refuseInput,
    handler,
  }: Pick<RouteBase, "input" | "refuseInput"> & { handler: Handler<Request> },
  request: Request,
): Promise<Reply> {
  requireInput(input, request, refuseInput);
  const answer = await request.db.transaction(() => handler(request));
  return answer instanceof Reply ? answer : new Reply({ data: answer });
}

/** Refuses an operation that the acting user may not do. @throws PlatformError */
export type AccessCheck = (request: AppRequest, route: AppRoute) => void;

/** One request on an app's own surface. */
export type AppRequest = AppServices & {
  apiKey: ApiKey;
  /** The user the request acts for; undefined if the app itself acts. */
  actor: User | undefined;
  /** Path parameters, decoded. A missing one cannot happen for a declared route, `param` throws. */
  param(name: string): string;
  query: Query;
  /** The JSON body, `{}` if missing. */
  body: JsonObject;
  /** Where the platform was called, e.g. `http://127.0.0.1:4000`. */
  origin: string;
} & SentBody;

/** The body as sent, for forms. */
export type SentBody = { rawBody: Uint8Array; contentType: string };

/** One request on the management surface. Where the path names no app, `app` is `noApp`. */
export type ManagementRequest = AppServices & {
  generation: Generation;
  param(name: string): string;
  query: Query;
  body: JsonObject;
} & SentBody;

/** A method and a path below the surface's base, such as `GET /users/{uid}`. */
export type Line = `${AppRoute["method"]} ${string}`;

type Stated = "operationId" | "method" | "path" | "source" | "handler" | "assumptions";

/**
 * Returns the function that declares the routes of a family: `route("get-user", "GET /users/{uid}",
 * getUser)`, and behind it what is assumed of it. A route is documented and takes no onBehalfOf unless the
 * family or the route says otherwise.
 */
export function appFamily(source: string, family: Partial<Omit<AppRoute, Stated>> = {}) {
  return declare<AppRoute>({ fidelity: "documented", onBehalfOf: "unsupported", ...family, source });
}

/** Returns the function that declares the routes of a family of the management host, as `appFamily` does. */
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
