import type { OwnServices } from "../../lib/endpoints/own/build-own-services.ts";
import type { AppRun } from "../../lib/endpoints/own/run-for-apps.ts";
import type { AppSeed } from "../platform/seed.ts";
import type { SignedLambdaEvent } from "./signed-lambda-event.ts";
import type { ApiRequest, LogLine, SentMessage } from "./story-outcome.ts";

/** What `onRequest` makes, as far as a run knows it: in words that need no types of Lambda. */
export interface RunnableRequest {
  /** Puts it on what a run gives it. Never throws. */
  on(services: OwnServices): (
    event: SignedLambdaEvent,
    invocation: FunctionInvocation,
  ) => Promise<{
    statusCode?: number | undefined;
    headers?: Record<string, boolean | number | string> | undefined;
    body?: string | undefined;
  }>;
}

/** What `onSchedule` makes, as far as a run knows it. */
export interface RunnableSchedule {
  /** Puts it on what a run gives it. Never throws. */
  on(
    services: OwnServices,
  ): (
    event: unknown,
    invocation: FunctionInvocation,
  ) => Promise<{ readonly apps: readonly AppRun<unknown>[] }>;
}

/** What a function is told of its invocation. */
export interface FunctionInvocation {
  /** What names the invocation in logs. */
  readonly awsRequestId: string;
  /** Tells how many milliseconds are left until the function would be ended. Never throws; may be repeated. */
  readonly getRemainingTimeInMillis: () => number;
}

/** What a function of an app's own finds when it runs. */
export interface RunFunctionOptions {
  /** The apps that are served. Default: app-1 alone, as the builders of events have it. */
  readonly appIds?: readonly string[];
  /** What each app's secret has besides its key: `{ shopUsername: "shop", shopPassword: "a-long-password" }`. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** What each app has besides alice, bob, support and the group lobby. */
  readonly app?: Partial<Omit<AppSeed, "appId">>;
  /** Answers a request in the platform's place; undefined leaves it to the platform, an error is a connection that breaks. */
  readonly answer?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** When it runs: what `now` and the platform say. Default: 2026-01-01T00:00:00Z. */
  readonly clock?: Date;
  /** How long the function may run, in milliseconds of the machine's time. Default: 6,000, as deployed. */
  readonly timeoutMs?: number;
}

/** A request as a client makes it. */
export interface FunctionRequest {
  /** Default: the route's; POST where that takes any. */
  readonly method?: string;
  /** With or without a query: `/notify/app-1`. */
  readonly path: string;
  /** As they are sent: `{ authorization: "Basic …" }`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to what `path` has. */
  readonly query?: Readonly<Record<string, string>>;
  /** The exact text, or the exact bytes as a Uint8Array; anything else is sent as JSON, and says so. */
  readonly body?: object | string;
}

/** How a request reaches a function. */
export interface RunRequestOptions extends RunFunctionOptions {
  /** The route as functions.yml has it, such as `POST /notify/{appId}`: its names are the handler's `path`. Default: `$default`, which has none. */
  readonly route?: string;
}

/** How a schedule starts a function. */
export interface RunScheduleOptions extends RunFunctionOptions {
  /** What the handler finds in `input`. Default: what EventBridge sends. */
  readonly input?: unknown;
}

/** What a function did. */
export interface FunctionOutcome {
  /** Messages that the platform took. */
  readonly sent: readonly SentMessage[];
  /** Everything that was asked of the platform, and its answers. */
  readonly requests: readonly ApiRequest[];
  readonly log: readonly LogLine[];
  /** What was counted, by the metric's name. */
  readonly counts: ReadonlyMap<string, number>;
}

/** What became of a request. */
export interface RequestOutcome extends FunctionOutcome {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON; undefined where there is none. */
  readonly body: unknown;
}

/** What became of a schedule's run. */
export interface ScheduleOutcome extends FunctionOutcome {
  /** What became of each app: its `result`, or its `error`. */
  readonly apps: readonly AppRun<unknown>[];
  /** Whether the run counts as failed, as it does when an app failed: AWS then starts it twice more. */
  readonly isFailed: boolean;
}
