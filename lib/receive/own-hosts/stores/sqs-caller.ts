import * as z from "zod/mini";
import type { AwsCaller, AwsEnvironment } from "../../../aws/aws-call.ts";
import { readAwsEnvironment } from "../../../base/config.ts";
import { rememberAwsKeys } from "../../../base/known-secrets.ts";
import { lazy } from "../../../base/lazy.ts";
import { checkCall } from "../../../chat/check-call.ts";

/** Keys in the AWS SDK's form. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Set for temporary keys. */
  readonly sessionToken?: string | undefined;
}

/** Keys, or a function that is called at each delivery and must cache them, as the AWS SDK's do. */
export type AwsCredentialsSource = AwsKeys | (() => Promise<AwsKeys>);

/** Allows more fields, which the AWS SDK's have. */
export const awsKeysSchema = /* @__PURE__ */ lazy(() =>
  z.looseObject({
    accessKeyId: z.string(),
    secretAccessKey: z.string(),
    sessionToken: z.optional(z.string()),
  }),
);

interface SqsPlace {
  readonly queueUrl: string;
  readonly region?: string;
  readonly endpoint?: string;
  readonly credentials?: AwsCredentialsSource;
}

/** Signs with current keys. @throws RangeError without region or keys */
export function createSqsCaller(place: SqsPlace): () => Promise<AwsCaller> {
  const env = readAwsEnvironment();
  const region =
    place.region ?? regionOf(place.queueUrl) ?? (env.AWS_REGION || env.AWS_DEFAULT_REGION || undefined);
  if (region === undefined) throw new RangeError("Name the queue's `region`, or set AWS_REGION.");
  const endpoint = place.endpoint ?? (env.AWS_ENDPOINT_URL_SQS || env.AWS_ENDPOINT_URL || undefined);
  const credentials = place.credentials ?? keysOf(env);
  let latest: { readonly keys: AwsKeys; readonly callAws: AwsCaller } | undefined;

  return async () => {
    const keys = typeof credentials === "function" ? await credentials() : credentials;
    checkCall("createSqsStore", "credentials", awsKeysSchema(), keys);
    if (latest !== undefined && isSame(latest.keys, keys)) return latest.callAws;
    rememberAwsKeys(keys.secretAccessKey, keys.sessionToken);
    const { createAwsCaller } = await import("../../../aws/aws-call.ts");
    const callAws = createAwsCaller({
      AWS_REGION: region,
      AWS_ENDPOINT_URL_SQS: endpoint,
      AWS_ACCESS_KEY_ID: keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
      AWS_SESSION_TOKEN: keys.sessionToken,
    });
    latest = { keys, callAws };
    return callAws;
  };
}

/** @see https://docs.aws.amazon.com/general/latest/gr/sqs-service.html */
function regionOf(queueUrl: string): string | undefined {
  return /^https:\/\/sqs\.([a-z0-9-]+)\.amazonaws\.com/.exec(queueUrl)?.[1];
}

function keysOf(env: AwsEnvironment): AwsKeys {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
    throw new RangeError("Give the store `credentials`, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.");
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN || undefined,
  };
}

function isSame(one: AwsKeys, other: AwsKeys): boolean {
  return (
    one.accessKeyId === other.accessKeyId &&
    one.secretAccessKey === other.secretAccessKey &&
    one.sessionToken === other.sessionToken
  );
}
