import type { KeyObject } from "node:crypto";
import { hmacSha256, prepareKey, sha256Hex } from "../base/digest.ts";

interface AwsSigner {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

export interface AwsRequest {
  /** As in the credential scope, e.g. `sqs`. */
  readonly service: string;
  /** Default: POST. */
  readonly method?: string | undefined;
  /** As sent: escaped. Default: `/`. */
  readonly path?: string | undefined;
  /** As sent: escaped, sorted by name, without `?`. Default: none. */
  readonly query?: string | undefined;
  /** All headers except those added here, in lower case, including `host`. All are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/**
 * Adds Signature Version 4: `authorization`, `x-amz-date` and, for temporary credentials,
 * `x-amz-security-token`.
 * @param now Milliseconds since 1970. AWS refuses signatures five minutes off.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function createAwsSigner(signer: AwsSigner, now: () => number) {
  const { region, accessKeyId, secretAccessKey, sessionToken } = signer;
  const keyOf = createSigningKeys(secretAccessKey, region);

  return ({
    service,
    method = "POST",
    path = "/",
    query = "",
    headers,
    body,
  }: AwsRequest): Record<string, string> => {
    const time = `${new Date(now()).toISOString().replace(/[-:]/g, "").slice(0, 15)}Z`;
    const signed: Record<string, string> = { ...headers, "x-amz-date": time };
    if (sessionToken !== undefined) signed["x-amz-security-token"] = sessionToken;

    const names = Object.keys(signed).sort();
    const headerLines = names.map((name) => `${name}:${signed[name]}\n`).join("");
    const signedNames = names.join(";");
    // Every service except S3 requires a second escape.
    const canonicalPath = path.split("/").map(encodeURIComponent).join("/");
    const request = `${method}\n${canonicalPath}\n${query}\n${headerLines}\n${signedNames}\n${sha256Hex(body)}`;
    const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
    const textToSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256Hex(request)}`;
    const signature = hmacSha256(keyOf(time.slice(0, 8), service), textToSign, "hex");
    signed.authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`;
    return signed;
  };
}

/** Signing keys change once a day (UTC). */
function createSigningKeys(secretAccessKey: string, region: string) {
  const kept = new Map<string, { readonly date: string; readonly key: KeyObject }>();
  return (date: string, service: string): KeyObject => {
    const today = kept.get(service);
    if (today?.date === date) return today.key;
    const dateKey = hmacSha256(`AWS4${secretAccessKey}`, date);
    const serviceKey = hmacSha256(hmacSha256(dateKey, region), service);
    const key = prepareKey(hmacSha256(serviceKey, "aws4_request"));
    kept.set(service, { date, key });
    return key;
  };
}
