import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { onTestFinished } from "vitest";
import { createCountMetric } from "../../lib/base/count-metric.ts";
import { createLog } from "../../lib/base/log.ts";
import type { OwnServices } from "../../lib/endpoints/own/build-own-services.ts";
import type { HttpFunction } from "../../lib/endpoints/own/on-request.ts";
import { createMemoryPlatform, type MemoryPlatform } from "../../local/platform/create-memory-platform.ts";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { createKitOwnServices } from "../../local/testing/kit/kit-own-services.ts";
import { secretPrefix } from "../../local/testing/kit/kit-settings.ts";

export interface OwnWorldOptions {
  /** The served apps. Default: `local-app`. */
  readonly appIds?: readonly string[];
  /** Further fields of each app's secret. */
  readonly secret?: Readonly<Record<string, string>>;
  /** The clock's time in seconds since 1970. Default: 2026-01-01T00:00:00Z. */
  readonly seconds?: number;
}

/** The services of a custom function on this machine: the platform in memory, a secret, a log, a clock. */
export interface OwnWorld {
  readonly platform: MemoryPlatform;
  /** The function's services: `handler.on(world.services)`. */
  readonly services: OwnServices;
  /** The secret of each app; changes take effect when the function reads it again. */
  readonly secrets: Map<string, Record<string, string>>;
  /** How often a secret was read. */
  readonly readings: () => number;
  /** Every line of log and metrics. */
  readonly lines: string[];
  /** Requests that reached the platform, such as `GET /users/ann`. */
  readonly requests: string[];
  readonly now: () => number;
  readonly advance: (ms: number) => void;
  /** Lets each request to the platform pass, or answers it instead. */
  answer: (request: { method: string; path: string }) => Response | Promise<Response> | undefined;
}

/** Makes such a world, which ends with the test. */
export function createOwnWorld(options: OwnWorldOptions = {}): OwnWorld {
  const { appIds = ["local-app"], secret = {}, seconds = 1_767_225_600 } = options;
  let nowMs = seconds * 1_000;
  const now = () => nowMs;
  const lines: string[] = [];
  const requests: string[] = [];
  let readings = 0;
  const platform = createMemoryPlatform({ clock: createVirtualClock(1_767_225_600_000) });
  const { fullAccessKey: apiKey } = platform.keys;
  const secrets = new Map<string, Record<string, string>>();
  for (const appId of appIds) {
    platform.add({ appId });
    secrets.set(`${secretPrefix}/${appId}`, { appId, region: "us", apiKey, ...secret });
  }
  const edges: Parameters<typeof createKitOwnServices>[0] = {
    readSecret: async (id) => {
      readings += 1;
      return JSON.stringify(secrets.get(id));
    },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const asked = { method: request.method, path: new URL(request.url).pathname.replace(/^\/v3/, "") };
      requests.push(`${asked.method} ${asked.path}`);
      return world.answer(asked) ?? platform.fetch(request);
    },
    log: createLog({ write: (line) => lines.push(line), now, functionName: "test", level: "DEBUG" }),
    count: createCountMetric((line) => lines.push(line), now),
    now,
  };
  const services = createKitOwnServices(edges, appIds);
  onTestFinished(() => platform.close());
  const world: OwnWorld = {
    platform,
    services,
    secrets,
    readings: () => readings,
    lines,
    requests,
    now,
    advance: (ms) => {
      nowMs += ms;
    },
    answer: () => undefined,
  };
  return world;
}

/** The invocation's context from Lambda. */
export const invocation = { awsRequestId: "request-1", getRemainingTimeInMillis: () => 10_000 };

export interface OwnRequest {
  readonly method?: string;
  readonly appId?: string | undefined;
  /** As the gateway writes it: an object is sent as JSON. */
  readonly body?: object | string;
  readonly isBase64?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly sourceIp?: string;
  /** At the gateway; milliseconds since 1970. */
  readonly arrivedAt?: number;
  /** Of the invocation. Default: 10,000. */
  readonly leftMs?: number;
}

/** Sends a request to a function as the gateway would, and reads its answer. */
export async function callFunction(
  called: (...args: Parameters<HttpFunction>) => ReturnType<HttpFunction>,
  request: OwnRequest = {},
) {
  const { leftMs = invocation.getRemainingTimeInMillis() } = request;
  const context = { ...invocation, getRemainingTimeInMillis: () => leftMs };
  const { statusCode, headers = {}, body = "" } = await called(toEvent(request), context);
  return { status: statusCode, headers, text: body, body: body === "" ? undefined : JSON.parse(body) };
}

/** Makes a function in its own world, and a client that sends it requests. */
export function serve(
  made: { readonly on: (services: OwnServices) => Parameters<typeof callFunction>[0] },
  options: OwnWorldOptions = {},
) {
  const world = createOwnWorld(options);
  const called = made.on(world.services);
  return { world, call: (request?: OwnRequest) => callFunction(called, request) };
}

function toEvent(request: OwnRequest): APIGatewayProxyEventV2 {
  const { method = "POST", body, isBase64 = false, headers = {}, query, sourceIp = "203.0.113.7" } = request;
  const { arrivedAt: timeEpoch = 0 } = request;
  const appId = "appId" in request ? request.appId : "local-app";
  return {
    version: "2.0",
    routeKey: `${method} /own/{appId}`,
    rawPath: "/own",
    rawQueryString: "",
    headers: { ...headers },
    ...(query && { queryStringParameters: { ...query } }),
    ...(appId !== undefined && { pathParameters: { appId } }),
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    isBase64Encoded: isBase64,
    requestContext: {
      accountId: "0",
      apiId: "local",
      domainName: "localhost",
      domainPrefix: "local",
      http: { method, path: "/own", protocol: "HTTP/1.1", sourceIp, userAgent: "test" },
      requestId: "request-1",
      routeKey: "",
      stage: "$default",
      time: "",
      timeEpoch,
    },
  };
}
