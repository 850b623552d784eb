import { createCached } from "../cached.ts";
import { InvalidSecretError } from "../secrets/parse-secret.ts";
import { secretCacheTtlMs } from "../secrets/secret-id.ts";
import type { ReadSecret } from "../secrets/secret-reader.ts";

/**
 * The keys that marks are made with. They are the deployment's own and change with no password and no API key.
 * All three throw InvalidSecretError when the secret holds no key, and the AWS SDK's error when it cannot be read: an
 * illness of the world, for which events wait.
 */
export interface GuardKeys {
  /** Gives the key that marks are made with. */
  current(): Promise<Uint8Array>;
  /** The same, read anew unless that was done a moment ago: somebody else may make marks with a newer one already. */
  newest(): Promise<Uint8Array>;
  /** Gives the key that marks were made with before the key was changed, if it ever was. */
  previous(): Promise<Uint8Array | undefined>;
}

export interface GuardKeysOptions {
  readonly readSecret: ReadSecret;
  /** The secret's name or ARN. Its value is the key, as text. */
  readonly secretId: string;
  readonly now: () => number;
}

/** Whoever writes forged marks makes this system read the secret no more often than this. */
const leastAgeMs = 10_000;
/** What CloudFormation generates has 64; shorter is a mistake of somebody who filled it in by hand. */
const leastCharacters = 32;

/** Reads the keys when they are first asked for, and keeps them 5 minutes. */
export function createGuardKeys({ readSecret, secretId, now }: GuardKeysOptions): GuardKeys {
  const toKey = (value: string | undefined): Uint8Array => {
    if (value !== undefined && value.length >= leastCharacters) return Buffer.from(value, "utf8");
    throw new InvalidSecretError(
      `Secret ${secretId} holds no key for the marks of automatic messages: it must be a text of at least ${leastCharacters} characters.`,
    );
  };
  const current = createCached({
    load: async () => toKey(await readSecret(secretId)),
    ttlMs: secretCacheTtlMs,
    now,
  });
  const previous = createCached({
    load: async () => {
      try {
        return toKey(await readSecret(secretId, "AWSPREVIOUS"));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    ttlMs: secretCacheTtlMs,
    now,
  });
  return {
    current: () => current.get(),
    newest: async () => {
      await current.get();
      return current.refresh(leastAgeMs);
    },
    previous: () => previous.get(),
  };
}

/**
 * A secret that was never changed has no previous version, and a first version filled in by hand may be no key.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
function isMissing(error: unknown): boolean {
  return (
    error instanceof InvalidSecretError ||
    (error instanceof Error && error.name === "ResourceNotFoundException")
  );
}
