import type { output, ZodMiniType } from "zod/mini";
import type { SecretByName } from "../../aws/secrets/app-secret.ts";
import type { Count } from "../../base/count-metric.ts";
import type { JsonValue } from "../../base/json-value.ts";
import type { Log } from "../../base/log.ts";
import type { OwnApp, OwnChat } from "./app-access.ts";
import type { Auth } from "./auth.ts";
import type { Allowance } from "./source-limit.ts";

/** What a function of one's own has at hand, whoever started it. */
export interface OwnContext {
  readonly app: OwnApp;
  readonly chat: OwnChat;
  /** Reads a field of the app's own secret; see docs/deploy.md for how to add one. */
  readonly secret: SecretByName;
  /** Its lines name the app and the invocation. */
  readonly log: Log;
  readonly count: Count;
  /** Ends when time is up. */
  readonly signal: AbortSignal;
  /** When time is up, in milliseconds since 1970. */
  readonly deadlineMs: number;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
}

/** What a handler of requests gets. */
export interface RequestContext<Body, Caller> extends OwnContext {
  /** Checked by the schema; undefined where there is none. */
  readonly body: Body;
  /** Who calls, as far as `auth` says; undefined for `"none"`. */
  readonly caller: Caller;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The values of the names in the route's path. */
  readonly path: Readonly<Record<string, string | undefined>>;
}

/** Answers with JSON, or with `{}` for undefined; refuses by throwing a RefusedRequestError. */
export type RequestHandler<Body, Caller> = (
  context: RequestContext<Body, Caller>,
) => Promise<JsonValue | undefined> | JsonValue | undefined;

/** What a function says of itself before it gets a request. */
export interface RequestDefinition<
  Access extends Auth<unknown> | "none" = Auth<unknown> | "none",
  Body extends ZodMiniType | undefined = ZodMiniType | undefined,
> {
  /** `"none"` lets everybody in, and must be said. */
  readonly auth: Access;
  /** What the JSON of the body must be. Default: the body is not read. */
  readonly body?: Body;
  /** Default: 65,536. */
  readonly mostBodyBytes?: number;
  /** Origins whose pages may call, by app; the function then has an `OPTIONS` route, too. Default: no page may. */
  readonly origins?: (appId: string) => readonly string[];
  /** How often one address may call in each process, by app. Default: without a limit. */
  readonly perSource?: (appId: string) => Allowance;
}

/** Whom an `auth` finds. */
export type CallerOf<Access> = Access extends Auth<infer Caller> ? Caller : undefined;

/** What a schema of a body gives. */
export type BodyOf<Schema> = Schema extends ZodMiniType ? output<Schema> : undefined;
