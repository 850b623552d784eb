import { isNotFound } from "../../aws/is-not-found.ts";
import { InvalidSecretError } from "../../aws/secrets/parse-secret.ts";
import { type ReadSecret, secretPatienceMs } from "../../aws/secrets/secret-reader.ts";
import { type CacheAges, createCached } from "../../base/cached.ts";
import { rememberSecret } from "../../base/known-secrets.ts";
import { usualSecretAges } from "../../base/secret-ages.ts";

/**
 * The keys that marks are made with. They are the deployment's own and change with no password and no API key.
 * All three throw GuardKeyError when the secret holds no key or cannot be read: an illness of the world, for which events
 * wait.
 */
export interface GuardKeys {
  /** Gives the key that marks are made with. */
  current(): Promise<Uint8Array>;
  /** The same, read anew unless that was done a moment ago: somebody else may make marks with a newer one already. */
  newest(): Promise<Uint8Array>;
  /** Gives the keys that marks were made with before the key was changed, if it ever was. */
  older(): Promise<readonly Uint8Array[]>;
}

export interface GuardKeysOptions {
  readonly readSecret: ReadSecret;
  /** The secret's name or ARN. Its value is the key, as text. */
  readonly secretId: string;
  /** Default: those of lib/base/secret-ages.ts. */
  readonly ages?: CacheAges;
  readonly now: () => number;
  /** From 0 up to 1. Default: Math.random. */
  readonly random?: () => number;
}

/** Says that the key of the marks on automatic messages cannot be had; nothing was sent. `cause` says why. */
export class GuardKeyError extends Error {
  override readonly name = "GuardKeyError";
  /** Nothing left. */
  readonly maybeExecuted = false as const;

  constructor(secretId: string, cause: unknown) {
    super(
      `The key of the marks on automatic messages cannot be had from the secret ${secretId}, so nothing is sent.`,
      { cause },
    );
  }
}

/** Whoever writes forged marks makes this system read the secret no more often than this. */
const leastAgeMs = 10_000;
/** What CloudFormation generates has 64; shorter is a mistake of somebody who filled it in by hand. */
const leastCharacters = 32;

/** Reads the keys when they are first asked for, and keeps them as long as other secrets. */
export function createGuardKeys({
  readSecret,
  secretId,
  ages = usualSecretAges,
  now,
  random,
}: GuardKeysOptions): GuardKeys {
  const toKey = (value: string | undefined): Uint8Array => {
    if (value !== undefined && value.length >= leastCharacters) {
      rememberSecret(value);
      return Buffer.from(value, "utf8");
    }
    throw new InvalidSecretError(
      `Secret ${secretId} holds no key for the marks of automatic messages: it must be a text of at least ${leastCharacters} characters.`,
    );
  };
  // What is kept as the previous version may be older than a change that was just noticed.
  let last: Uint8Array | undefined;
  let former: Uint8Array | undefined;
  const current = createCached({
    load: async (deadlineMs) => {
      const key = toKey(await readSecret(secretId, undefined, deadlineMs - now()));
      if (last !== undefined && !Buffer.from(last).equals(key)) former = last;
      last = key;
      return key;
    },
    ...{ ages, now, random, patienceMs: secretPatienceMs },
  });
  const previous = createCached({
    load: async (deadlineMs) => {
      try {
        return toKey(await readSecret(secretId, "AWSPREVIOUS", deadlineMs - now()));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    ...{ ages, now, random, patienceMs: secretPatienceMs },
  });
  const orWhy = async <T>(key: Promise<T>): Promise<T> => {
    try {
      return await key;
    } catch (error) {
      throw new GuardKeyError(secretId, error);
    }
  };
  const newest = async () => {
    await current.get();
    return current.refresh(leastAgeMs);
  };
  const older = async () => [await previous.get(), former].filter((key) => key !== undefined);
  return {
    current: () => orWhy(current.get()),
    newest: () => orWhy(newest()),
    older: () => orWhy(older()),
  };
}

/**
 * A secret that was never changed has no previous version, and a first version filled in by hand may be no key.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
function isMissing(error: unknown): boolean {
  return error instanceof InvalidSecretError || isNotFound(error);
}
