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

/** A request without a method. */
export interface RawRequest<Output> extends RawOptions<Output> {
  readonly method: Verb;
  /** After `/v3`, starting with a slash, values encoded. */
  readonly path: `/${string}`;
  /** Arrays repeat their key, objects become `key[part]`. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** Options, and how to parse the answer. */
export interface RawOptions<Output> extends RequestOptions {
  readonly onBehalfOf?: string | undefined;
  /** Default: api. */
  readonly service?: "api" | "call" | undefined;
  /** Parses `data`, or the whole body without it: a schema, or a function that throws on failure. */
  readonly answer: AnswerReader<Output>;
}

type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Method and path of one of the client's operations. */
export type Route = keyof ChatRoutes;

/** Calls routes and other paths, with the methods' retries, limits and errors. */
export interface EscapeHatch {
  /**
   * Calls any path, given as one object.
   * @example await chat.request({ method: "GET", path: "/tomorrow/7", answer: z.object({ id: z.string() }) })
   */
  request<const Asked extends string | object, Output>(
    request: RequestObject<Asked, Output>,
    ...none: NothingAfter<Asked>
  ): ChatRequest<Output>;
  /**
   * Calls any route. Fields that are not in its path go into the query of a GET, else the body. Checks only
   * the path.
   * @example await chat.request("GET /tomorrow/{id}", { id: "7" }, { answer: z.object({ id: z.string() }) })
   */
  request<Output>(
    route: `${Verb} /${string}`,
    fields: Readonly<Record<string, unknown>>,
    options: RawOptions<Output>,
  ): ChatRequest<Output>;
  /**
   * Calls an operation by its route: path values and input together, by their names. A client of some
   * families knows only their routes.
   * @throws InvalidInputError (as the request's failure) naming the field and the rule
   * @example const alice = await chat.request("GET /users/{uid}", { uid: "alice" });
   */
  request<R extends Route>(route: R, ...args: RouteArguments<R>): RouteResult<R>;
}

/**
 * Names the route as the error, whatever follows: a compiler names the closest overload for a call that
 * matches none.
 */
type RequestObject<Asked, Output> = Asked extends string
  ? Asked extends Route
    ? Asked
    : Route
  : RawRequest<Output>;

type NothingAfter<Asked> = Asked extends Route ? NoCall : Asked extends string ? unknown[] : [];

/** More arguments than any call has: a compiler never suggests this overload. */
type NoCall = [never, never, never];

/** Fields by name, then options. */
export type RouteArguments<R extends Route> = [Route] extends [R]
  ? NoCall
  : ChatRoutes[R] extends { readonly onBehalfOf: "required" }
    ? [fields: RouteFields<R>, options: MustActOptions & RouteOptions<R>]
    : Record<never, never> extends RouteFields<R>
      ? [fields?: RouteFields<R>, options?: ActingOptions<R> & RouteOptions<R>]
      : [fields: RouteFields<R>, options?: ActingOptions<R> & RouteOptions<R>];

/** A list, or a request for one answer. */
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
