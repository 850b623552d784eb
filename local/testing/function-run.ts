import type { OwnServices } from "../../lib/endpoints/own/build-own-services.ts";
import type { AppRun } from "../../lib/endpoints/own/on-schedule.ts";
import type { FlowTable } from "../../lib/flows/define-flow.ts";
import type { AppContents } from "../test-platform/app-contents.ts";
import type { SignedLambdaEvent } from "./signed-lambda-event.ts";
import type { StoryOptions } from "./story-options.ts";
import type { ApiRequest, LogLine, PlayedFlow, SentMessage, StartedFlow } from "./story-outcome.ts";

/** What a run needs of the result of `onRequest`, `onAgentTool` and `onAgentRun`, without types of Lambda. */
export interface RunnableRequest {
  /** Connects it to a run's services. Never throws. */
  on(services: OwnServices): (
    event: SignedLambdaEvent,
    invocation: FunctionInvocation,
  ) => Promise<{
    statusCode?: number | undefined;
    headers?: Record<string, boolean | number | string> | undefined;
    body?: string | undefined;
  }>;
}

/** What a run needs of `onSchedule`'s result. */
export interface RunnableSchedule {
  /** Connects it to a run's services. Never throws. */
  on(
    services: OwnServices,
  ): (
    event: unknown,
    invocation: FunctionInvocation,
  ) => Promise<{ readonly apps: readonly AppRun<unknown>[] }>;
}

/** What a function learns about its invocation. */
export interface FunctionInvocation {
  /** The invocation's id in logs. */
  readonly awsRequestId: string;
  /** Returns the milliseconds until the timeout. Never throws; may be repeated. */
  readonly getRemainingTimeInMillis: () => number;
}

/** The environment of a custom function's run. */
export interface RunFunctionOptions {
  /** The served apps. Default: only app-1, as in builders of events. */
  readonly appIds?: readonly string[];
  /**
   * Fields of each app's secret besides its key: `{ shopUsername: "shop", shopPassword: "a-long-password" }`.
   */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Contents of each app besides alice, bob, support and the group lobby. */
  readonly app?: Omit<AppContents, "appId">;
  /** Answers a request; undefined leaves it to the platform, an error breaks the connection. */
  readonly answer?: (request: Request) => Response | undefined | Promise<Response | undefined>;
  /** The time of the run, for `now` and the platform. Default: 2026-01-01T00:00:00Z. */
  readonly clock?: Date;
  /** The timeout, in milliseconds of real time. Default: 6,000, as deployed. */
  readonly timeoutMs?: number;
  /** The flows that may be started: they run to their end. */
  readonly flows?: FlowTable;
  /** How often it comes, a minute apart: a caller repeats it, AWS starts a schedule twice. Default: 1. */
  readonly deliveries?: number;
  /**
   * Each crashes the function's or a flow's process once, in order; the caller or AWS repeats it, as AWS
   * does.
   */
  readonly crash?: StoryOptions["crash"];
}

/** A client's request. */
export interface FunctionRequest {
  /** Default: the route's method; POST if it takes any. */
  readonly method?: string;
  /** With or without a query: `/notify/app-1`. */
  readonly path: string;
  /** As sent: `{ authorization: "Basic …" }`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to the query of `path`. */
  readonly query?: Readonly<Record<string, string>>;
  /** Text or Uint8Array is sent unchanged; anything else as JSON with its content type. */
  readonly body?: object | string;
}

/** The options of `runRequest`. */
export interface RunRequestOptions extends RunFunctionOptions {
  /**
   * The route as in functions.yml, such as `POST /notify/{appId}`: its names are the handler's `path`.
   * Default: `$default`, without names.
   */
  readonly route?: string;
}

/** The options of `runSchedule`. */
export interface RunScheduleOptions extends RunFunctionOptions {
  /** The handler's `input`. Default: EventBridge's. */
  readonly input?: unknown;
}

/** What a function did. */
export interface FunctionOutcome {
  /** Messages that the platform accepted. */
  readonly sent: readonly SentMessage[];
  /** All requests to the platform, with their answers. */
  readonly requests: readonly ApiRequest[];
  /** The started flows, in order. */
  readonly started: readonly StartedFlow[];
  /** Their outcomes, in the same order. */
  readonly flows: readonly PlayedFlow[];
  /** Where a process could have crashed. */
  readonly edges: readonly string[];
  /** Where one did. */
  readonly crashed: readonly string[];
  readonly log: readonly LogLine[];
  /** Counts by metric name. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The outcome of a request. */
export interface RequestOutcome extends FunctionOutcome {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed if it is JSON; of an agent's run, the events; undefined without a body. */
  readonly body: unknown;
}

/** The outcome of a schedule's run. */
export interface ScheduleOutcome extends FunctionOutcome {
  /** Each app's `result` or `error`. */
  readonly apps: readonly AppRun<unknown>[];
  /** Whether the run failed, as it does if an app failed: AWS then retries it twice. */
  readonly isFailed: boolean;
}
