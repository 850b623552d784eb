import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { lazy } from "../base/lazy.ts";
import { type Answered, type ChatRequest, chatRequest, noResponse } from "./chat-request.ts";
import { checkInput } from "./check-input.ts";
import { readPlainly, typeNameOf } from "./check-plain.ts";
import { InvalidInputError } from "./errors.ts";
import { callForList, callForOne } from "./methods.ts";
import type { Family, Operation } from "./operation.ts";
import type { Paged } from "./paged.ts";
import {
  fillPath,
  type PreparedRequest,
  pathNames,
  readArguments,
  secretsIn,
  writeQuery,
} from "./prepare-request.ts";
import { type AnswerReader, readAnswer, readEnvelope } from "./read-answer.ts";
import type {
  AppOptions,
  CheckOption,
  MayActOptions,
  MustActOptions,
  RequestOptions,
} from "./request-options.ts";
import { json, looseObject, opt } from "./schema.ts";
import type { Transport } from "./transport.ts";
import type { ChatRoutes } from "./types/routes.ts";

/** A request without a method. */
export interface RawRequest<Output> extends RawOptions<Output> {
  readonly method: Verb;
  /** Follows `/v3` and starts with a slash. Values are encoded. */
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
   * families has only their routes.
   * @throws InvalidInputError (as the request's failure) naming the field and the rule
   * @example const alice = await chat.request("GET /users/{uid}", { uid: "alice" });
   */
  request<R extends Route>(route: R, ...args: RouteArguments<R>): RouteResult<R>;
}

/** Makes the compiler name the route as the error, not the closest overload. */
type RequestObject<Asked, Output> = Asked extends string
  ? Asked extends Route
    ? Asked
    : Route
  : RawRequest<Output>;

type NothingAfter<Asked> = Asked extends Route ? NoCall : Asked extends string ? unknown[] : [];

/** Has more arguments than any call: no compiler suggests this overload. */
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

export function createEscapeHatch(
  transport: Transport,
  families: Readonly<Record<string, Family>>,
): EscapeHatch;
export function createEscapeHatch(transport: Transport, families: Readonly<Record<string, Family>>): object {
  const operations = lazy(() => Object.values(families).flatMap((family) => Object.values(family)));
  return {
    request(asked: unknown, fields: unknown = {}, options: unknown = {}) {
      const isRaw = readPlainly("request", "options", () => isRecord(options) && "answer" in options);
      const known = isRaw ? undefined : operations().find(({ request }) => request === asked);
      if (known?.paged) return callForList(transport, known, argumentsOf(known, fields, options));
      const send = async () =>
        known
          ? callForOne(transport, known, argumentsOf(known, fields, options))
          : typeof asked === "string"
            ? sendRaw(transport, asked, fromRoute(asked, fields, options))
            : sendRaw(transport, "request", asked);
      return chatRequest(send());
    },
  };
}

/** Without an input, the rest are unknown options. */
function argumentsOf({ id, request, input }: Operation, fields: unknown, options: unknown): unknown[] {
  return readPlainly(id, "", () => {
    const { path, rest } = split(id, request, fields);
    return input || Object.keys(rest).length > 0 ? [...path, rest, options] : [...path, options];
  });
}

function split(operation: string, route: string, fields: unknown) {
  if (!isRecord(fields)) throw new InvalidInputError(operation, "", `an object, not ${typeNameOf(fields)}`);
  const rest = { ...fields };
  const path = pathNames(route).map((name) => {
    const { [name]: value } = rest;
    delete rest[name];
    return value;
  });
  return { path, rest };
}

function fromRoute(route: string, fields: unknown, options: unknown): unknown {
  return readPlainly(route, "", () => {
    const [method = ""] = route.split(" ");
    const { path, rest } = split(route, route, fields);
    const carried = Object.keys(rest).length === 0 ? {} : { [method === "GET" ? "query" : "body"]: rest };
    return {
      ...Object(options),
      method,
      path: fillPath(route, route.slice(method.length + 1), path),
      ...carried,
    };
  });
}

async function sendRaw(transport: Transport, operation: string, raw: unknown): Promise<Answered<unknown>> {
  const { reader, request, options } = readPlainly(operation, "", () => prepareRaw(operation, raw));
  const sent = await transport.send(request, options);
  const [data, response = noResponse] =
    sent.kind === "answer" ? [readEnvelope(sent.body).data, sent.response] : [sent.value];
  return { data: readAnswer({ id: request.operation, request: request.method }, reader, data), response };
}

function prepareRaw(asked: string, raw: unknown) {
  const { method, path, query, body, service, answer, ...rest } = checkInput(asked, rawRequest(), raw);
  const { options } = readArguments({ ...anyone, id: asked }, [rest]);
  const [place, asking] = path.split("?");
  const request: PreparedRequest = {
    operation: `${method} ${place}`,
    method,
    service: service ?? "api",
    path: path + writeQuery(query ?? {}, []),
    body: body && JSON.stringify(body),
    onBehalfOf: options.onBehalfOf,
    basicAuth: false,
    rateClass: "standard",
    secrets: secretsIn([query, body, options.headers, Object.fromEntries(new URLSearchParams(asking))]),
  };
  return { reader: answer, request, options };
}

const anyone = { request: "GET /", onBehalfOf: "optional", answer: json } as const;

const rawRequest = lazy(() =>
  looseObject({
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
    path: z
      .string()
      .check(
        z.refine(
          (path) => safePath.test(path) && !dotSegment.test(path),
          "slashes with something between them and no dot segments",
        ),
      ),
    query: opt(json),
    body: opt(json),
    service: opt(z.enum(["api", "call"])),
    answer: z.custom<AnswerReader<unknown>>(
      (value) => typeof value === "function" || (isRecord(value) && "_zod" in value),
      "a schema or a function: this client has no such operation",
    ),
  }),
);

/** Must not lead out of the base URL. */
const safePath = /^(?:\/[^\s\\/?#]+)+(?:\?[^\s#]*)?$/;
const dotSegment = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;
