import { hmacSha256, isSameDigest } from "../base/digest.ts";
import { digestAuthorization, matchesAny, noCredentials } from "../base/http/basic-auth.ts";
import type { HttpRequest } from "../base/http/lambda.ts";
import { standInFor } from "../base/stand-in.ts";
import type { AcceptedSenders, SenderFamily, WebhookCredentials } from "./webhook-credentials.ts";

export type ServedApps = Pick<ReadonlyMap<string, WebhookCredentials>, "get" | "has" | "size"> & {
  keys(): Iterable<string>;
};

export type SenderRequest = Pick<HttpRequest, "headers" | "pathParameters"> & {
  /** Read only after the credentials are verified. */
  readonly body: Buffer | PromiseLike<Buffer>;
};

export interface Sender {
  readonly families: readonly SenderFamily[];
  /** Credentials that are being replaced. */
  readonly isReplaced: boolean;
  /** The delivery had to be signed, and is. */
  readonly mustBeSigned?: boolean | undefined;
}

/**
 * Minimum age for reading again, for a rotation: twice before the platform's second try, 10 s later
 * (docs/internals/platform/webhooks.md#retries).
 */
const refreshAfterMs = 5_000;

/**
 * Returns undefined for an unknown app and for missing, malformed or wrong credentials. Reads the body only
 * for a signature, and after the credentials. Compares an unknown app's request with another app's
 * credentials, so that timing does not reveal which apps are served. Checks a signature if both it and a key
 * exist; only the secret can require it (docs/internals/platform/webhooks.md#signature).
 * @param deadlineMs the maximum wait for credentials
 * @param isDelivery false for a question, which need not be signed
 * @throws errors of reading the credentials or the body
 */
export async function verifySender(
  request: SenderRequest,
  apps: ServedApps,
  deadlineMs?: number,
  isDelivery = false,
): Promise<Sender | undefined> {
  const appId = request.pathParameters.appId ?? "";
  const credentials = apps.get(appId) ?? standIn(appId, apps);
  const presented = digestAuthorization(request.headers.authorization);
  const digest = presented ?? noCredentials();

  const senderIn = async (accepted: AcceptedSenders) => {
    const sender = senderWith(digest, accepted);
    const mustBeSigned = isDelivery && accepted.isSignatureRequired;
    const isRight = sender && (await isSignedRight(request, accepted.signingKeys, mustBeSigned));
    return isRight && presented !== undefined && apps.has(appId) ? { ...sender, mustBeSigned } : undefined;
  };
  return (
    (await senderIn(await credentials.get(deadlineMs))) ??
    senderIn(await credentials.refresh(refreshAfterMs, deadlineMs))
  );
}

function senderWith(digest: Buffer, { senders }: AcceptedSenders): Sender | undefined {
  const families: SenderFamily[] = [];
  let isReplaced = true;
  for (const sender of senders) {
    if (!isSameDigest(digest, sender.digest)) continue;
    families.push(...sender.families);
    isReplaced &&= sender.isReplaced === true;
  }
  return families.length > 0 ? { families, isReplaced } : undefined;
}

/** Expects the documented hexadecimal HMAC-SHA256 of the raw body. */
async function isSignedRight(
  request: SenderRequest,
  keys: readonly string[],
  mustBeSigned?: boolean,
): Promise<boolean> {
  const signature = request.headers["x-cometchat-signature"];
  if (signature === undefined || keys.length === 0) return !mustBeSigned;
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false;
  const body = await request.body;
  return matchesAny(
    Buffer.from(signature, "hex"),
    keys.map((key) => hmacSha256(key, body)),
  );
}

function standIn(appId: string, apps: ServedApps): WebhookCredentials {
  const credentials = apps.get(standInFor(appId, [...apps.keys()]) ?? "");
  if (credentials === undefined) throw new Error("No app is served: see config/apps.yml.");
  return credentials;
}
