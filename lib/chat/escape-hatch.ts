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

/** A request for something this client has no method for yet. */
export interface RawRequest<Output> extends RawOptions<Output> {
  readonly method: Verb;
  /** Path after `/v3`, starting with a slash, its values encoded. */
  readonly path: `/${string}`;
  /** Arrays repeat their key, objects become `key[part]`. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of a request whose answer the caller reads. */
export interface RawOptions<Output> extends RequestOptions {
  readonly onBehalfOf?: string | undefined;
  /** Which host. Default: api. */
  readonly service?: "api" | "call" | undefined;
  /** Reads the answer's `data`, or the whole body when it has none: a schema, or a function that throws where it cannot. */
  readonly answer: AnswerReader<Output>;
}

type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A method and path that an operation of the client has. */
export type Route = keyof ChatRoutes;

/**
 * The way to operations by their route, and to what there is no operation for, with the retries, limits and errors of the methods.
 */
export interface EscapeHatch {
  /**
   * Calls any path of the platform, given as one object. It is repeated, and fails, as the methods are and do.
   * @example await chat.request({ method: "GET", path: "/tomorrow/7", answer: z.looseObject({ id: z.string() }) })
   */
  request<const Asked extends string | object, Output>(
    request: RequestObject<Asked, Output>,
    ...none: NothingAfter<Asked>
  ): ChatRequest<Output>;
  /**
   * Calls any route, whose answer `answer` reads: values of the path go by their names, all other fields into the query of a
   * GET, else into the body. Nothing but the path is checked; it is repeated as the methods
   * are.
   * @example await chat.request("GET /tomorrow/{id}", { id: "7" }, { answer: z.looseObject({ id: z.string() }) })
   */
  request<Output>(
    route: `${Verb} /${string}`,
    fields: Readonly<Record<string, unknown>>,
    options: RawOptions<Output>,
  ): ChatRequest<Output>;
  /**
   * Calls an operation by its route, as its method would: values of the path and input go together, by their names, and it is repeated as
   * that is. A client
   * of some families knows the routes of those.
   * @throws InvalidInputError (as the request's failure) naming the field and the rule
   * @example const alice = await chat.request("GET /users/{uid}", { uid: "alice" });
   */
  request<R extends Route>(route: R, ...args: RouteArguments<R>): RouteResult<R>;
}

/** A route that no operation has is wrong itself, whatever follows it: of a call that fits nowhere, a compiler names what comes closest. */
type RequestObject<Asked, Output> = Asked extends string
  ? Asked extends Route
    ? Asked
    : Route
  : RawRequest<Output>;

type NothingAfter<Asked> = Asked extends Route ? NoCall : Asked extends string ? unknown[] : [];

/** No call has so many arguments, so that a compiler does not take it for one that is meant. */
type NoCall = [never, never, never];

/** What a route takes: fields by their names, then options. */
export type RouteArguments<R extends Route> = [Route] extends [R]
  ? NoCall
  : ChatRoutes[R] extends { readonly onBehalfOf: "required" }
    ? [fields: RouteFields<R>, options: MustActOptions & RouteOptions<R>]
    : Record<never, never> extends RouteFields<R>
      ? [fields?: RouteFields<R>, options?: ActingOptions<R> & RouteOptions<R>]
      : [fields: RouteFields<R>, options?: ActingOptions<R> & RouteOptions<R>];

/** What a route gives: a list, or a request for one answer. */
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
