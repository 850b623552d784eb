import { AwsCallError, type AwsCaller } from "../aws/aws-call.ts";
import { type Cached, createCached } from "../cached.ts";
import type { EventFamily } from "../events/identity.ts";
import { type CredentialsDigest, digestCredentials } from "../http/basic-auth.ts";
import { parseSecret } from "./parse-secret.ts";
import { readSecretValue, type SecretStage } from "./read-secret-value.ts";
import { secretCacheTtlMs, secretIdOf } from "./secret-id.ts";

/** The families of requests that may have credentials of their own. */
export type SenderFamily = EventFamily | "moderation";

/** What the requests of an app's webhooks must carry: the current credentials, or the previous ones while they rotate. */
export type WebhookCredentials = Cached<AcceptedSenders>;

export interface AcceptedSenders {
  readonly senders: readonly AcceptedSender[];
  /** Keys that a signature may be made with; empty when none is configured. */
  readonly signingKeys: readonly string[];
}

export interface AcceptedSender {
  readonly digest: CredentialsDigest;
  /** The requests that these credentials are good for. */
  readonly families: readonly SenderFamily[];
}

export interface WebhookCredentialsOptions {
  readonly callAws: AwsCaller;
  readonly secretPrefix: string;
  readonly appId: string;
  readonly now: () => number;
}

/** Families that may have `<family>Username` and `<family>Password` in the secret; without, the webhook's own count. */
const otherFamilies = ["legacy", "bot", "notification", "extension", "moderation"] as const;

/**
 * Keeps an app's webhook credentials at hand: versions AWSCURRENT and AWSPREVIOUS of its secret, as digests.
 * `get` throws AwsCallError when Secrets Manager gives no answer and InvalidSecretError when the secret is incomplete.
 */
export function createWebhookCredentials(options: WebhookCredentialsOptions): WebhookCredentials {
  const { callAws, secretPrefix, appId, now } = options;
  const secretId = secretIdOf(secretPrefix, appId);

  const readVersion = async (stage: SecretStage): Promise<AcceptedSenders> => {
    return readSenders(secretId, await readSecretValue(callAws, secretId, stage));
  };

  const load = async (): Promise<AcceptedSenders> => {
    const [current, previous] = await Promise.all([
      readVersion("AWSCURRENT"),
      readVersion("AWSPREVIOUS").catch(ignoreMissingVersion),
    ]);
    if (previous === undefined) return current;
    return {
      senders: [...current.senders, ...previous.senders],
      // Without a key in the current version, signatures are not looked at any more.
      signingKeys: current.signingKeys.length === 0 ? [] : [...current.signingKeys, ...previous.signingKeys],
    };
  };

  return createCached({ load, ttlMs: secretCacheTtlMs, now });
}

function readSenders(secretId: string, value: unknown): AcceptedSenders {
  const { text, optionalText } = parseSecret(secretId, value);
  const digestOf = (prefix: string) =>
    digestCredentials({ username: text(`${prefix}Username`), password: text(`${prefix}Password`) });
  const hasOwn = (family: string) =>
    (optionalText(`${family}Username`) ?? optionalText(`${family}Password`)) !== undefined;

  const signingKey = optionalText("webhookSecret");
  return {
    senders: [
      {
        digest: digestOf("webhook"),
        families: ["webhook", ...otherFamilies.filter((family) => !hasOwn(family))],
      },
      ...otherFamilies.filter(hasOwn).map((family) => ({ digest: digestOf(family), families: [family] })),
    ],
    signingKeys: signingKey === undefined ? [] : [signingKey],
  };
}

/** A secret that was never changed has no previous version, and a first version filled in by hand may be unusable. */
function ignoreMissingVersion(error: unknown): undefined {
  if (error instanceof AwsCallError && error.code !== "ResourceNotFoundException") throw error;
}
