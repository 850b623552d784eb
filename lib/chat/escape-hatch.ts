import type { ChatRequest } from "./chat-request.ts";
import type { Paged } from "./paged.ts";
import type { AnswerReader } from "./read-answer.ts";
import type {
  AppOptions,
  CheckOption,
  MayActOptions,
  MustActOptions,
  RequestOptions,
} from "./request-options.ts";
import type { ChatRoutes } from "./types/routes.ts";

/** A request for which this client has no method yet. */
export interface RawRequest<Output> extends RawOptions<Output> {
  readonly method: Verb;
  /** Path after `/v3`, starting with a slash, its values encoded. */
  readonly path: `/${string}`;
  /** Arrays repeat their key, objects become `key[part]`. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of a request whose answer the caller parses. */
export interface RawOptions<Output> extends RequestOptions {
  readonly onBehalfOf?: string | undefined;
  /** The host. Default: api. */
  readonly service?: "api" | "call" | undefined;
  /**
   * Parses the answer's `data`, or the whole body if it has none: a schema, or a function that throws on
   * failure.
   */
  readonly answer: AnswerReader<Output>;
}

type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Method and path of one of the client's operations. */
export type Route = keyof ChatRoutes;

/**
 * Calls operations by route, and paths without an operation, with the retries, limits and errors of the
 * methods.
 */
export interface EscapeHatch {
  /**
   * Calls any path of the platform, given as one object, with the retries and errors of the methods.
   * @example await chat.request({ method: "GET", path: "/tomorrow/7", answer: z.object({ id: z.string() }) })
   */
  request<const Asked extends string | object, Output>(
    request: RequestObject<Asked, Output>,
    ...none: NothingAfter<Asked>
  ): ChatRequest<Output>;
  /**
   * Calls any route and parses its answer with `answer`. Path values are given by their names; all other
   * fields go into the query of a GET, else into the body. Checks only the path. Retries like the methods.
   * @example await chat.request("GET /tomorrow/{id}", { id: "7" }, { answer: z.object({ id: z.string() }) })
   */
  request<Output>(
    route: `${Verb} /${string}`,
    fields: Readonly<Record<string, unknown>>,
    options: RawOptions<Output>,
  ): ChatRequest<Output>;
  /**
   * Calls an operation by its route, like its method: path values and input are given together, by their
   * names. A client of some families knows only their routes.
   * @throws InvalidInputError (as the request's failure) naming the field and the rule
   * @example const alice = await chat.request("GET /users/{uid}", { uid: "alice" });
   */
  request<R extends Route>(route: R, ...args: RouteArguments<R>): RouteResult<R>;
}

/**
 * Reports a route without an operation as the error, whatever arguments follow: a compiler names the closest
 * overload for a call that matches none.
 */
type RequestObject<Asked, Output> = Asked extends string
  ? Asked extends Route
    ? Asked
    : Route
  : RawRequest<Output>;

type NothingAfter<Asked> = Asked extends Route ? NoCall : Asked extends string ? unknown[] : [];

/** More arguments than any call has, so that a compiler never suggests this overload. */
type NoCall = [never, never, never];

/** The arguments of a route: fields by name, then options. */
export type RouteArguments<R extends Route> = [Route] extends [R]
  ? NoCall
  : ChatRoutes[R] extends { readonly onBehalfOf: "required" }
    ? [fields: RouteFields<R>, options: MustActOptions & RouteOptions<R>]
    : Record<never, never> extends RouteFields<R>
      ? [fields?: RouteFields<R>, options?: ActingOptions<R> & RouteOptions<R>]
      : [fields: RouteFields<R>, options?: ActingOptions<R> & RouteOptions<R>];

/** The result of a route: a list, or a request for one answer. */
export type RouteResult<R extends Route> = ChatRoutes[R] extends { readonly kind: "list" }
  ? Paged<ChatRoutes[R]["answer"]>
  : ChatRequest<ChatRoutes[R]["answer"]>;

type RouteFields<R extends Route> = ChatRoutes[R]["path"] &
  (ChatRoutes[R]["input"] extends undefined ? unknown : ChatRoutes[R]["input"]);

type ActingOptions<R extends Route> = ChatRoutes[R] extends { readonly onBehalfOf: "optional" }
  ? MayActOptions
  : AppOptions;

type RouteOptions<R extends Route> = R extends `${"POST" | "PATCH"} ${string}`
  ? CheckOption<ChatRoutes[R]["answer"]>
  : unknown;
