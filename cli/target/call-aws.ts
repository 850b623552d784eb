import { type AwsCaller, createAwsCaller } from "../../lib/aws/aws-call.ts";
import type { AwsCredentials } from "./clients.ts";

export interface CallAwsOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly region: string;
  readonly credentials: () => Promise<AwsCredentials>;
}

/** Creates the functions' AWS client with an operator's credentials, which may expire during the work. */
export function createCallAws({ env, region, credentials: provide }: CallAwsOptions): AwsCaller {
  let current: { readonly callAws: AwsCaller; readonly credentials: AwsCredentials } | undefined;
  return async (call) => {
    const credentials = await provide();
    if (current?.credentials !== credentials) {
      const { accessKeyId, secretAccessKey, sessionToken } = credentials;
      const callAws = createAwsCaller({
        ...env,
        AWS_REGION: region,
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
        AWS_SESSION_TOKEN: sessionToken,
      });
      current = { callAws, credentials };
    }
    return await current.callAws({ timeoutMs: operatorTimeoutMs, ...call });
  };
}

/** The operator's machine may be far from the region. */
const operatorTimeoutMs = 20_000;
