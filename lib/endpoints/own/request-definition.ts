import type { output, ZodMiniType } from "zod/mini";
import type { SecretByName, SecretFieldsSource } from "../../aws/secrets/app-secret.ts";
import type { Count } from "../../base/count-metric.ts";
import type { WholeRequest } from "../../base/http/whole-request.ts";
import type { JsonValue } from "../../base/json-value.ts";
import type { Log } from "../../base/log.ts";
import type { OwnApp, OwnChat } from "./app-access.ts";
import type { OwnActs } from "./own-acts.ts";
import type { Allowance } from "./source-limit.ts";

/** What a handler can use. */
export interface OwnContext {
  readonly app: OwnApp;
  readonly chat: OwnChat;
  /** Reads a field of the app's secret (docs/deploy.md). */
  readonly secret: SecretByName;
  /** Adds app and invocation to each line. */
  readonly log: Log;
  readonly count: Count;
  /** Aborted when time is up. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly deadlineMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Identifies repetitions for `effectsOf`. */
  readonly run: OwnRun;
}

/** One request or scheduled run. */
export interface OwnRun {
  /** The kind of run, and the caller or the rule. */
  readonly source: string;
  /** Equal in each repetition. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** Default: from the environment. */
  readonly acts?: OwnActs | undefined;
  /** Makes the answer wait for an effect. Default: it does not. */
  readonly follow?: Follow | undefined;
}

export type Follow = <T>(begun: Promise<T>) => Promise<T>;

/** A request handler's argument. */
export interface RequestContext<Body, Caller> extends OwnContext {
  /** Parsed by the schema; undefined without one. */
  readonly body: Body;
  /** Undefined for `"none"`. */
  readonly caller: Caller;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly path: Readonly<Record<string, string | undefined>>;
}

/** Answers a request with JSON (`{}` for undefined), or refuses it by throwing a RefusedRequestError. */
export type RequestHandler<Body, Caller> = (
  context: RequestContext<Body, Caller>,
) => Promise<JsonValue | undefined> | JsonValue | undefined;

/** Allowed callers, and what the request must contain. */
export interface RequestDefinition<
  Access extends Auth<unknown> | "none" = Auth<unknown> | "none",
  Body extends ZodMiniType | undefined = ZodMiniType | undefined,
> {
  /** `"none"` accepts every caller. */
  readonly auth: Access;
  /** Schema of the JSON body. Default: the body is not read. */
  readonly body?: Body;
  /** Default: 65,536. */
  readonly mostBodyBytes?: number;
  /** Origins whose pages may call, by app; needs an `OPTIONS` route too. Default: none. */
  readonly origins?: (appId: string) => readonly string[];
  /** Allowance of one address per process, by app. Default: no limit. */
  readonly perSource?: (appId: string) => Allowance;
}

export type CallerOf<Access> = Access extends Auth<infer Caller> ? Caller : undefined;

export type BodyOf<Schema> = Schema extends ZodMiniType ? output<Schema> : undefined;

/** Identifies a custom function's caller; made by `basic` and `jwt`. */
export interface Auth<Caller> {
  /** @throws RefusedRequestError for an unknown caller; errors of the check itself */
  readonly identify: (request: WholeRequest, tools: AuthTools) => Promise<Caller>;
  /** Separates callers' idempotency keys. Default: callers share them. */
  nameOf?(caller: Caller): string;
}

export interface AuthTools {
  readonly appId: string;
  readonly secrets: SecretFieldsSource;
  /** Milliseconds since 1970. */
  readonly deadlineMs: number;
  readonly now: () => number;
  /** Counts a refusal's reason: a constant text without the caller's input. */
  readonly note: (reason: string) => void;
}

export const secretRefreshMs = 5_000;
