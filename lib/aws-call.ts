import { AwsClient } from "aws4fetch";

// One call of an AWS JSON service, signed and sent without the AWS SDK, whose import costs about 65 ms of a cold start.

/** The SDK's own variables, read the way the SDK reads them. */
export interface AwsEnvironment {
  readonly AWS_REGION?: string | undefined;
  readonly AWS_ACCESS_KEY_ID?: string | undefined;
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined;
  readonly AWS_SESSION_TOKEN?: string | undefined;
  readonly AWS_ENDPOINT_URL_SQS?: string | undefined;
  readonly AWS_ENDPOINT_URL_SECRETS_MANAGER?: string | undefined;
}

export interface AwsCall {
  readonly service: "sqs" | "secretsmanager";
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

/** AWS JSON protocol versions of the two services. */
const contentTypes = {
  sqs: "application/x-amz-json-1.0",
  secretsmanager: "application/x-amz-json-1.1",
} as const;

/**
 * Makes a function that calls AWS with the credentials Lambda gives, obeying AWS_ENDPOINT_URL_*.
 * A call is tried once more when the connection fails: a kept socket may have died while the function was frozen.
 * The call must therefore be repeatable: reads are, and so is SendMessage to a FIFO queue with a deduplication id.
 */
export function createAwsCaller(env: AwsEnvironment, fetch = globalThis.fetch): AwsCaller {
  const region = env.AWS_REGION ?? "us-east-1";
  const client = new AwsClient({
    accessKeyId: env.AWS_ACCESS_KEY_ID ?? "",
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? "",
    ...(env.AWS_SESSION_TOKEN ? { sessionToken: env.AWS_SESSION_TOKEN } : {}),
    region,
  });
  const endpoints = {
    sqs: env.AWS_ENDPOINT_URL_SQS ?? `https://sqs.${region}.amazonaws.com`,
    secretsmanager: env.AWS_ENDPOINT_URL_SECRETS_MANAGER ?? `https://secretsmanager.${region}.amazonaws.com`,
  };

  const send = async (call: AwsCall): Promise<Response> =>
    fetch(
      await client.sign(`${endpoints[call.service]}/`, {
        method: "POST",
        headers: { "content-type": contentTypes[call.service], "x-amz-target": call.target },
        body: JSON.stringify(call.input),
        aws: { service: call.service },
      }),
      { signal: AbortSignal.timeout(callTimeoutMs) },
    );

  return async (call) => {
    const response = await send(call)
      .catch(() => send(call))
      .catch((error: unknown) => {
        throw new AwsCallError(call, connectionCode(error));
      });
    const answer: unknown = await response.json().catch(() => undefined);
    if (!response.ok) throw new AwsCallError(call, errorCode(answer) ?? `HTTP status ${response.status}`);
    return answer;
  };
}

/** `com.amazonaws.sqs#QueueDoesNotExist` → `QueueDoesNotExist` */
function errorCode(answer: unknown): string | undefined {
  const type = property(answer, "__type");
  return typeof type === "string" ? type.slice(type.lastIndexOf("#") + 1) : undefined;
}

function connectionCode(error: unknown): string {
  const code = property(property(error, "cause"), "code");
  if (typeof code === "string") return code;
  return error instanceof Error ? error.name : "an unknown error";
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
