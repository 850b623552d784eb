import { OwnError } from "../base/errors.ts";
import { harmlessMessage } from "../base/harmless-message.ts";
import { isRecord, parseJson, readText } from "../base/json.ts";
import { lazyByKey } from "../base/lazy.ts";
import { isError } from "../base/realm.ts";
import { type Answer, createPost, NoAnswerError, type Post } from "./post.ts";
import { createAwsSigner } from "./sign-aws-request.ts";

// Without the AWS SDK, whose import costs 65 ms of a cold start.

/** The SDK's environment variables, with the SDK's meaning. */
export type AwsEnvironment = Readonly<Partial<Record<string, string>>>;

type AwsService = "sqs" | "secretsmanager" | "events" | "dynamodb" | "monitoring" | "lambda";

export interface AwsCall {
  readonly service: AwsService;
  /** With the service's prefix, e.g. `AmazonSQS.SendMessage`. */
  readonly target: string;
  /** The address for services whose operations have their own URLs. */
  readonly rest?: RestAddress | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970 after which the call neither sends nor waits. Default: none. */
  readonly deadlineMs?: number | undefined;
  /** False: a try that may have been executed is not repeated. Default: true. */
  readonly isRepeatable?: boolean;
  /**
   * Milliseconds per try, with the connection. Default: the service's limits, for functions in its region.
   */
  readonly timeoutMs?: number;
}

/** `input` is the body, except for GET and DELETE. */
export interface RestAddress {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Escaped, without a query. */
  readonly path: string;
  /** Escaped, sorted by name. Default: none. */
  readonly query?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export type AwsCaller = (call: AwsCall) => Promise<unknown>;

export interface AwsCallerEdges {
  /** Milliseconds since 1970. Default: Date.now. */
  readonly now?: () => number;
  /** Default: Node's own client. */
  readonly createPost?: (url: string) => Post;
  readonly sleep?: (ms: number) => Promise<void>;
  /** 0 ≤ n < 1. Default: Math.random. */
  readonly random?: () => number;
}

/** AWS refused the call or did not answer. */
export class AwsCallError extends OwnError {
  override readonly name = "AwsCallError";
  readonly service: AwsService;
  readonly target: string;
  /** The code of AWS or of the connection. */
  readonly code: string;
  /** The HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /** False only if no try can have been executed. */
  readonly maybeExecuted: boolean;
  readonly #answer: unknown;
  override readonly said: string | undefined;

  constructor(call: AwsCall, { code, status, maybeExecuted, answer }: AwsCallFailure) {
    super(
      `${call.target} failed with ${code}. Check the ${status ? "role, resource name" : "network"} and endpoint.`,
    );
    this.service = call.service;
    this.target = call.target;
    this.code = code;
    this.status = status;
    this.maybeExecuted = maybeExecuted;
    this.said = harmlessMessage(code, answer);
    this.#answer = answer;
  }

  /** Returns the answer, which may quote stored data. */
  answer(): unknown {
    return this.#answer;
  }
}

interface AwsCallFailure {
  readonly code: string;
  readonly status?: number;
  readonly maybeExecuted: boolean;
  readonly answer?: unknown;
}

/** The limits on the receiver's path: two tries fit into the platform's 2 s. */
const whileThePlatformWaits = { tries: 2, timeoutMs: 800, connectTimeoutMs: 800, pauseMs: 100 };
const patient = { tries: 3, timeoutMs: 5_000, connectTimeoutMs: 1_000 };

/**
 * Limits per try, in milliseconds, of the whole request and the connection. `pauseMs`: the maximum wait
 * before the second try; each further wait adds as much.
 */
const services = {
  sqs: { endpoint: "SQS", protocol: "1.0", ...whileThePlatformWaits },
  secretsmanager: { endpoint: "SECRETS_MANAGER", protocol: "1.1", ...whileThePlatformWaits },
  events: { endpoint: "EVENTBRIDGE", protocol: "1.1", ...whileThePlatformWaits },
  dynamodb: {
    endpoint: "DYNAMODB",
    protocol: "1.0",
    ...patient,
    timeoutMs: 1_500,
    connectTimeoutMs: 700,
    pauseMs: 100,
  },
  monitoring: { endpoint: "CLOUDWATCH", protocol: "1.0", ...patient, pauseMs: 500 },
  lambda: { endpoint: "LAMBDA", protocol: "1.1", ...patient, pauseMs: 200 },
} as const;

/**
 * Calls AWS with Lambda's credentials; honors AWS_ENDPOINT_URL and that of a service. Retries at once if
 * the connection fails (a kept socket may have died while the function was frozen), and after a random wait
 * on 5xx and throttling.
 */
export function createAwsCaller(env: AwsEnvironment, edges: AwsCallerEdges = {}): AwsCaller {
  const { now = Date.now, sleep = waitFor, random = Math.random } = edges;
  const region = env.AWS_REGION ?? "us-east-1";
  const sign = createAwsSigner(
    {
      region,
      accessKeyId: env.AWS_ACCESS_KEY_ID ?? "",
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? "",
      sessionToken: env.AWS_SESSION_TOKEN || undefined,
    },
    now,
  );
  const endpointOf = createEndpoints(env, region, edges.createPost ?? ((url) => createPost(url, now)));

  const tryOnce = async (call: AwsCall, body: Uint8Array, remainingMs: number): Promise<Outcome> => {
    const { service, target, rest } = call;
    const { protocol, ...limits } = services[service];
    const { host, post } = endpointOf(service);
    const headers = rest
      ? { ...rest.headers, host, "content-type": "application/json" }
      : { host, "content-type": `application/x-amz-json-${protocol}`, "x-amz-target": target };
    const { method, path, query } = rest ?? {};
    const request = {
      method,
      path: query === undefined ? path : `${path}?${query}`,
      headers: sign({ service, method, path, query, headers, body }),
      body,
      timeoutMs: Math.min(call.timeoutMs ?? limits.timeoutMs, remainingMs),
      connectTimeoutMs: Math.min(call.timeoutMs ?? limits.connectTimeoutMs, remainingMs),
    };
    return post(request).then((answer) => readAnswer(answer, target), readSilence);
  };

  return async (call) => {
    const { tries, pauseMs } = services[call.service];
    const { deadlineMs = Number.POSITIVE_INFINITY, isRepeatable = true } = call;
    if (now() >= deadlineMs) throw new AwsCallError(call, { code: "NoTimeLeft", maybeExecuted: false });
    const body = Buffer.from(/GET|DELETE/.test(call.rest?.method ?? "") ? "" : JSON.stringify(call.input));
    let maybeExecuted = false;
    for (let count = 1; ; count += 1) {
      const outcome = await tryOnce(call, body, deadlineMs - now());
      if (outcome.kind === "answer") return outcome.answer;
      maybeExecuted ||= outcome.maybeExecuted;
      const isWorthIt = outcome.isPassing && count < tries && (isRepeatable || !maybeExecuted);
      const waitMs = outcome.status === undefined ? 0 : random() * pauseMs * count;
      if (!isWorthIt || now() + waitMs >= deadlineMs) {
        throw new AwsCallError(call, { ...outcome, maybeExecuted });
      }
      if (waitMs > 0) await sleep(waitMs);
    }
  };
}

export function limitCalls(callAws: AwsCaller, deadlineMs: number): AwsCaller {
  return (call) =>
    callAws({ ...call, deadlineMs: Math.min(call.deadlineMs ?? Number.POSITIVE_INFINITY, deadlineMs) });
}

type Outcome =
  | { readonly kind: "answer"; readonly answer: unknown }
  | (AwsCallFailure & {
      readonly kind: "failure";
      readonly isPassing: boolean;
    });

/** A stored message has an id: without one, whatever answered stored nothing. */
function readAnswer({ status, body, errorType }: Answer, target: string | undefined): Outcome {
  const answer = parseJson(body);
  if (status < 300 && (!target?.endsWith(".SendMessage") || readText(answer, "MessageId")))
    return { kind: "answer", answer };
  const code = errorCode(answer, errorType) || `HTTP status ${status}`;
  const isUnclear = status >= 500 || status < 300;
  const isThrottled = status === 429 || throttlingCodes.test(code);
  return {
    kind: "failure",
    code,
    status,
    answer,
    maybeExecuted: isUnclear && !isThrottled,
    isPassing: isUnclear || isThrottled,
  };
}

function readSilence(error: unknown): Outcome {
  const maybeExecuted = !(error instanceof NoAnswerError) || error.maybeExecuted;
  return { kind: "failure", code: connectionCode(error), maybeExecuted, isPassing: true };
}

/**
 * Throttling by a service or by KMS. The status does not decide: 400, 403, 429, 500 or 503.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/throttling.html
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
export const throttlingCodes =
  /Throttl|TooManyRequests|ThroughputExceeded|RequestLimit|BandwidthLimit|SlowDown/;

function waitFor(ms: number) {
  return new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });
}

function createEndpoints(env: AwsEnvironment, region: string, createPost: (url: string) => Post) {
  return lazyByKey((service: AwsService) => {
    const { endpoint: name } = services[service];
    const url =
      env[`AWS_ENDPOINT_URL_${name}`] ||
      env.AWS_ENDPOINT_URL ||
      `https://${service}.${region}.${domainOf(region)}`;
    return { host: new URL(url).host, post: createPost(url) };
  });
}

/** @see https://docs.amazonaws.cn/en_us/aws/latest/userguide/endpoints-Beijing.html */
export function domainOf(region: string): string {
  return region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
}

/**
 * Finds the code, such as `com.amazonaws.sqs#QueueDoesNotExist`, in one of three places; a URL may follow it.
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html#operation-error-serialization
 */
function errorCode(answer: unknown, errorType: string | undefined): string | undefined {
  const { __type, code } = isRecord(answer) ? answer : {};
  const type = [__type, code, errorType].find((one) => typeof one === "string");
  return type?.split(":", 1)[0]?.split("#").at(-1);
}

function connectionCode(error: unknown): string {
  if (isRecord(error) && typeof error.code === "string") return error.code;
  return isError(error) ? error.name : "an unknown error";
}

export function isNotFound(error: unknown): boolean {
  return codeOf(error) === "ResourceNotFoundException";
}

/** @returns undefined if AWS does not know what is read */
export async function unlessNotFound<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return await reading.catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

/** Also true if the role may not know whether it exists. */
export function isNotFoundOrDenied(error: unknown): boolean {
  return /^(ResourceNotFound|AccessDenied)Exception$/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  if (error instanceof AwsCallError) return error.code;
  return isError(error) ? error.name : "";
}
