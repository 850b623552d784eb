import { isRecord, parseJson } from "../json.ts";
import { type Answer, createPost } from "./post.ts";
import { createAwsSigner } from "./sign-aws-request.ts";

// One call of an AWS JSON service, signed and sent without the AWS SDK, whose import costs about 65 ms of a cold start.

/** The SDK's own variables, read the way the SDK reads them. */
export interface AwsEnvironment {
  readonly AWS_REGION?: string | undefined;
  readonly AWS_ACCESS_KEY_ID?: string | undefined;
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined;
  readonly AWS_SESSION_TOKEN?: string | undefined;
  readonly AWS_ENDPOINT_URL_SQS?: string | undefined;
  readonly AWS_ENDPOINT_URL_SECRETS_MANAGER?: string | undefined;
  readonly AWS_ENDPOINT_URL_EVENTBRIDGE?: string | undefined;
}

export interface AwsCall {
  readonly service: "sqs" | "secretsmanager" | "events";
  /** The operation with its service prefix, e.g. `AmazonSQS.SendMessage`. */
  readonly target: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type AwsCaller = (call: AwsCall) => Promise<unknown>;

/** Thrown when an AWS service refused a call or gave no answer; `code` is AWS's own, or the connection's. */
export class AwsCallError extends Error {
  override readonly name = "AwsCallError";
  readonly code: string;

  constructor(call: AwsCall, code: string) {
    super(
      `${call.target} failed with ${code}. Check the function's role, the resource's name and the endpoint.`,
    );
    this.code = code;
  }
}

/** A call that takes longer than this is given up: two tries must fit into the platform's 2 s. */
const callTimeoutMs = 800;

/** AWS JSON protocol versions of the services. */
const contentTypes = {
  sqs: "application/x-amz-json-1.0",
  secretsmanager: "application/x-amz-json-1.1",
  events: "application/x-amz-json-1.1",
} as const;

/**
 * Makes a function that calls AWS with the credentials Lambda gives, obeying AWS_ENDPOINT_URL_*.
 * A call is tried once more when the connection fails, as a kept socket may have died while the function was frozen,
 * and when the service says that the fault is its own (5xx) or that it is asked too often.
 * The call must therefore be repeatable: reads are, and so is SendMessage to a FIFO queue with a deduplication id.
 */
export function createAwsCaller(env: AwsEnvironment, now: () => number = Date.now): AwsCaller {
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
  const endpoints = {
    sqs: createEndpoint(env.AWS_ENDPOINT_URL_SQS ?? `https://sqs.${region}.amazonaws.com`),
    secretsmanager: createEndpoint(
      env.AWS_ENDPOINT_URL_SECRETS_MANAGER ?? `https://secretsmanager.${region}.amazonaws.com`,
    ),
    events: createEndpoint(env.AWS_ENDPOINT_URL_EVENTBRIDGE ?? `https://events.${region}.amazonaws.com`),
  };

  const send = ({ service, target }: AwsCall, body: Uint8Array): Promise<Answer> => {
    const { host, post } = endpoints[service];
    const headers = { host, "content-type": contentTypes[service], "x-amz-target": target };
    return post({ headers: sign({ service, headers, body }), body, timeoutMs: callTimeoutMs });
  };

  return async (call) => {
    const body = Buffer.from(JSON.stringify(call.input));
    const { status, body: text } = await send(call, body)
      .then(
        (answer) => (isWorthRepeating(answer) ? send(call, body) : answer),
        () => send(call, body),
      )
      .catch((error: unknown) => {
        throw new AwsCallError(call, connectionCode(error));
      });
    const answer = parseJson(text);
    if (status !== 200) throw new AwsCallError(call, errorCode(answer) ?? `HTTP status ${status}`);
    return answer;
  };
}

/** AWS answers throttling with 400 and a code such as ThrottlingException or RequestThrottled. */
function isWorthRepeating({ status, body }: Answer): boolean {
  return status >= 500 || (status === 400 && /Throttl|TooManyRequests/.test(body));
}

function createEndpoint(url: string) {
  return { host: new URL(url).host, post: createPost(url) };
}

/** `com.amazonaws.sqs#QueueDoesNotExist` → `QueueDoesNotExist` */
function errorCode(answer: unknown): string | undefined {
  const type = isRecord(answer) ? answer.__type : undefined;
  return typeof type === "string" ? type.slice(type.lastIndexOf("#") + 1) : undefined;
}

function connectionCode(error: unknown): string {
  if (isRecord(error) && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.name : "an unknown error";
}
