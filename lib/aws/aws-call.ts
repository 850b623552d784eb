import { isRecord, parseJson } from "../base/json.ts";
import { pause } from "../base/pause.ts";
import { harmlessMessage } from "./harmless-message.ts";
import { type Answer, createPost, NoAnswerError, type Post } from "./post.ts";
import { createAwsSigner } from "./sign-aws-request.ts";

// One call of an AWS service that speaks JSON, signed and sent without the AWS SDK, whose import costs about 65 ms of a cold start.

/** The SDK's own variables, read the way the SDK reads them. */
export interface AwsEnvironment {
  readonly AWS_REGION?: string | undefined;
  readonly AWS_ACCESS_KEY_ID?: string | undefined;
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined;
  readonly AWS_SESSION_TOKEN?: string | undefined;
  readonly AWS_ENDPOINT_URL_SQS?: string | undefined;
  readonly AWS_ENDPOINT_URL_SECRETS_MANAGER?: string | undefined;
  readonly AWS_ENDPOINT_URL_EVENTBRIDGE?: string | undefined;
  readonly AWS_ENDPOINT_URL_DYNAMODB?: string | undefined;
  readonly AWS_ENDPOINT_URL_CLOUDWATCH?: string | undefined;
  readonly AWS_ENDPOINT_URL_LAMBDA?: string | undefined;
}

export type AwsService = "sqs" | "secretsmanager" | "events" | "dynamodb" | "monitoring" | "lambda";

export interface AwsCall {
  readonly service: AwsService;
  /** The operation with its service prefix, e.g. `AmazonSQS.SendMessage`. */
  readonly target: string;
  /** Where the operation has an address of its own instead, as Lambda's have. */
  readonly rest?: RestAddress | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970 after which nothing is sent or waited for. Default: the limits per try alone. */
  readonly deadlineMs?: number | undefined;
  /** False: not sent again when it may have been carried out. Default: true. */
  readonly isRepeatable?: boolean;
  /** How long one try may take, connecting included. Default: the service's limits, made for functions in its region. */
  readonly timeoutMs?: number;
}

/** Method and address of an operation, whose `input` is the body of every method but GET. */
export interface RestAddress {
  readonly method: "GET" | "POST";
  /** Escaped, without a query. */
  readonly path: string;
  /** Escaped, its names in order. Default: none. */
  readonly query?: string | undefined;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export type AwsCaller = (call: AwsCall) => Promise<unknown>;

/** How time passes and where requests go. */
export interface AwsCallerEdges {
  /** Milliseconds since 1970. Default: Date.now. */
  readonly now?: () => number;
  /** Default: Node's own client. */
  readonly createPost?: (url: string) => Post;
  /** Default: timers. */
  readonly sleep?: (ms: number) => Promise<void>;
  /** From 0 up to 1. Default: Math.random. */
  readonly random?: () => number;
}

/** Thrown when an AWS service refused a call or gave no answer. */
export class AwsCallError extends Error {
  override readonly name = "AwsCallError";
  readonly service: AwsService;
  /** AWS's own code, or the connection's. */
  readonly code: string;
  /** The answer's; undefined when none came. */
  readonly status: number | undefined;
  /** False only when the call was surely not carried out, in none of its tries. */
  readonly maybeExecuted: boolean;
  /** AWS's own words, where they quote nothing. */
  readonly said: string | undefined;
  /** Private, so that no logger shows it. */
  readonly #answer: unknown;

  constructor(call: AwsCall, { code, status, maybeExecuted, answer }: AwsCallFailure) {
    super(
      `${call.target} failed with ${code}. Check the function's role, the resource's name and the endpoint.`,
    );
    this.service = call.service;
    this.code = code;
    this.status = status;
    this.maybeExecuted = maybeExecuted;
    this.said = harmlessMessage(code, answer);
    this.#answer = answer;
  }

  /** Gives the service's whole answer, parsed, which may quote what is stored. */
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

/** On the receiver's path two tries must fit into the platform's 2 s. */
const whileThePlatformWaits = { tries: 2, timeoutMs: 800, connectTimeoutMs: 800, pauseMs: 100 };

/**
 * How the services are spoken to: version of the JSON protocol, per try the limits of the whole request and of
 * connecting, and how long is waited at most before the second try, and before each further one as much more. The table is
 * asked by functions with more time.
 */
const services = {
  sqs: { protocol: "1.0", ...whileThePlatformWaits },
  secretsmanager: { protocol: "1.1", ...whileThePlatformWaits },
  events: { protocol: "1.1", ...whileThePlatformWaits },
  dynamodb: { protocol: "1.0", tries: 3, timeoutMs: 1_500, connectTimeoutMs: 700, pauseMs: 100 },
  monitoring: { protocol: "1.0", tries: 3, timeoutMs: 5_000, connectTimeoutMs: 1_000, pauseMs: 500 },
  lambda: { protocol: "1.1", tries: 3, timeoutMs: 5_000, connectTimeoutMs: 1_000, pauseMs: 200 },
} as const;

/**
 * Makes a function that calls AWS with the credentials Lambda gives, obeying AWS_ENDPOINT_URL_*.
 * A call is tried again when the connection fails, as a kept socket may have died while the function was frozen,
 * and, after a pause of random length, when the service says that the fault is its own (5xx) or that it is asked too often.
 * The call must therefore be repeatable, or say that it is not: reads are, and so is SendMessage to a FIFO queue with a
 * deduplication id.
 */
export function createAwsCaller(env: AwsEnvironment, edges: AwsCallerEdges = {}): AwsCaller {
  const { now = Date.now, sleep = pause, random = Math.random } = edges;
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
  const endpointOf = createEndpoints(env, region, edges.createPost ?? createPost);

  const tryOnce = async (call: AwsCall, body: Uint8Array, remainingMs: number): Promise<Outcome> => {
    const { service, target, rest } = call;
    const { protocol, ...limits } = services[service];
    const { timeoutMs = limits.timeoutMs } = call;
    const connectTimeoutMs = call.timeoutMs ?? limits.connectTimeoutMs;
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
      timeoutMs: Math.min(timeoutMs, remainingMs),
      connectTimeoutMs: Math.min(connectTimeoutMs, remainingMs),
    };
    return post(request).then(readAnswer, readSilence);
  };

  return async (call) => {
    const { tries, pauseMs } = services[call.service];
    const { deadlineMs = Number.POSITIVE_INFINITY, isRepeatable = true } = call;
    if (now() >= deadlineMs) throw new AwsCallError(call, { code: "NoTimeLeft", maybeExecuted: false });
    const body = Buffer.from(call.rest?.method === "GET" ? "" : JSON.stringify(call.input));
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

/** Gives the same caller with a deadline for every call, in milliseconds since 1970: a function's own time is limited. */
export function limitCalls(callAws: AwsCaller, deadlineMs: number): AwsCaller {
  return (call) =>
    callAws({ ...call, deadlineMs: Math.min(call.deadlineMs ?? Number.POSITIVE_INFINITY, deadlineMs) });
}

type Outcome =
  | { readonly kind: "answer"; readonly answer: unknown }
  | (AwsCallFailure & {
      readonly kind: "failure";
      /** The same call may succeed a moment later. */
      readonly isPassing: boolean;
    });

function readAnswer({ status, body, errorType }: Answer): Outcome {
  const answer = parseJson(body);
  if (status >= 200 && status < 300) return { kind: "answer", answer };
  const code = errorCode(answer, errorType) || `HTTP status ${status}`;
  const isThrottled = status === 429 || throttlingCodes.test(code);
  return {
    kind: "failure",
    code,
    status,
    answer,
    maybeExecuted: status >= 500 && !isThrottled,
    isPassing: status >= 500 || isThrottled,
  };
}

function readSilence(error: unknown): Outcome {
  const maybeExecuted = !(error instanceof NoAnswerError) || error.maybeExecuted;
  return { kind: "failure", code: connectionCode(error), maybeExecuted, isPassing: true };
}

/**
 * What services say when they are asked too often, themselves or the KMS behind them: ThrottlingException, KmsThrottled
 * and RequestThrottled (SQS, status 403), TooManyRequestsException, ProvisionedThroughputExceededException (DynamoDB) and
 * their like. The code tells; the status is 400, 403, 429, 500 or 503.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/throttling.html
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
const throttlingCodes = /Throttl|TooManyRequests|ThroughputExceeded|RequestLimit|BandwidthLimit|SlowDown/;

function createEndpoints(env: AwsEnvironment, region: string, createPost: (url: string) => Post) {
  const urls = {
    sqs: env.AWS_ENDPOINT_URL_SQS,
    secretsmanager: env.AWS_ENDPOINT_URL_SECRETS_MANAGER,
    events: env.AWS_ENDPOINT_URL_EVENTBRIDGE,
    dynamodb: env.AWS_ENDPOINT_URL_DYNAMODB,
    monitoring: env.AWS_ENDPOINT_URL_CLOUDWATCH,
    lambda: env.AWS_ENDPOINT_URL_LAMBDA,
  };
  const made = new Map<AwsService, { readonly host: string; readonly post: Post }>();
  return (service: AwsService) => {
    const known = made.get(service);
    if (known !== undefined) return known;
    const url = urls[service] ?? `https://${service}.${region}.amazonaws.com`;
    const endpoint = { host: new URL(url).host, post: createPost(url) };
    made.set(service, endpoint);
    return endpoint;
  };
}

/**
 * `com.amazonaws.sqs#QueueDoesNotExist` → `QueueDoesNotExist`. The protocol allows three places for it, and an address
 * behind it.
 * @see https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html#operation-error-serialization
 */
function errorCode(answer: unknown, errorType: string | undefined): string | undefined {
  const { __type, code } = isRecord(answer) ? answer : {};
  const type = [__type, code, errorType].find((one) => typeof one === "string");
  return type?.split(":", 1)[0]?.split("#").at(-1);
}

function connectionCode(error: unknown): string {
  if (isRecord(error) && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.name : "an unknown error";
}
