import { hmacSha256, isSameDigest } from "../base/digest.ts";
import { digestAuthorization, matchesAny } from "../base/http/basic-auth.ts";
import type { HttpRequest } from "../base/http/lambda.ts";
import type { AcceptedSenders, SenderFamily, WebhookCredentials } from "./webhook-credentials.ts";

/** The credentials of each app that this deployment serves, by app id. Must not be empty. */
export type ServedApps = Pick<ReadonlyMap<string, WebhookCredentials>, "get" | "has" | "size"> & {
  values(): Iterable<WebhookCredentials>;
};

/** What is looked at to tell who sent a request. */
export type SenderRequest = Pick<HttpRequest, "headers" | "pathParameters"> & {
  /** Read only for a request with the right credentials, so that nobody else's is read. */
  readonly body: Buffer | PromiseLike<Buffer>;
};

/** Who sent a request, and which families of requests its credentials are good for. */
export interface Sender {
  readonly appId: string;
  readonly families: ReadonlySet<SenderFamily>;
  /** Its credentials are good still, but are no more those that the secret gives first. */
  readonly isReplaced: boolean;
}

/**
 * Credentials that do not fit are looked up anew at most this often, in case they have just been rotated: twice between
 * the platform's first try and its second, 10 s later (docs/platform/webhooks.md#retries).
 */
const refreshAfterMs = 5_000;

/** Nobody knows credentials with this digest. */
const nobody = Buffer.alloc(32);

/**
 * Tells which app sent a request, or gives undefined: unknown app, missing, malformed or wrong credentials alike.
 * The body is read for a signature alone, and after the credentials. An unknown app walks the same road with another app's credentials and is then refused,
 * so that time tells nothing about which apps are served.
 * A signature is looked at where both it and a key for it exist, and never asked for: that the platform signs is not
 * documented (docs/platform/webhooks.md#signature).
 * @param deadlineMs Milliseconds since 1970; credentials are waited for until then.
 * @throws what reading the credentials throws, when they cannot be read, and what reading the body throws
 */
export async function verifySender(
  request: SenderRequest,
  apps: ServedApps,
  deadlineMs?: number,
): Promise<Sender | undefined> {
  const appId = request.pathParameters.appId ?? "";
  const credentials = apps.get(appId) ?? firstOf(apps);
  const presented = digestAuthorization(request.headers.authorization);
  const digest = presented ?? nobody;

  const senderIn = async (accepted: AcceptedSenders) => {
    const sender = senderWith(digest, accepted, appId);
    return sender && (await isSignedRight(request, accepted.signingKeys)) ? sender : undefined;
  };
  const look = async () =>
    (await senderIn(await credentials.get(deadlineMs))) ??
    senderIn(await credentials.refresh(refreshAfterMs, deadlineMs));
  // That the other app's secret cannot be read is no news about this one.
  const sender = apps.has(appId) ? await look() : await look().catch(() => undefined);
  return presented !== undefined && apps.has(appId) ? sender : undefined;
}

/** Compares with all credentials, in constant time. */
function senderWith(digest: Buffer, { senders }: AcceptedSenders, appId: string): Sender | undefined {
  const families = new Set<SenderFamily>();
  let isReplaced = true;
  for (const sender of senders) {
    if (!isSameDigest(digest, sender.digest)) continue;
    for (const family of sender.families) families.add(family);
    isReplaced &&= sender.isReplaced === true;
  }
  return families.size > 0 ? { appId, families, isReplaced } : undefined;
}

/** The header is said to hold the HMAC-SHA256 of the raw body as a hexadecimal number. */
async function isSignedRight(request: SenderRequest, keys: readonly string[]): Promise<boolean> {
  const signature = request.headers["x-cometchat-signature"];
  if (signature === undefined || keys.length === 0) return true;
  const presented = Buffer.from(/^[0-9a-f]{64}$/i.test(signature) ? signature : "", "hex");
  if (presented.length !== nobody.length) return false;
  const body = await request.body;
  return matchesAny(
    presented,
    keys.map((key) => hmacSha256(key, body)),
  );
}

function firstOf(apps: ServedApps): WebhookCredentials {
  const [first] = apps.values();
  if (first === undefined)
    throw new Error("No app is served: config/apps.yml names those that a deployment serves.");
  return first;
}
