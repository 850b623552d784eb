import { isNotFound } from "../../aws/aws-call.ts";
import { InvalidSecretError } from "../../aws/secrets/parse-secret.ts";
import { type ReadSecret, secretMaxWaitMs } from "../../aws/secrets/secret-reader.ts";
import { type CacheAges, createCached } from "../../base/cached.ts";
import { OwnError } from "../../base/errors.ts";
import { rememberSecret } from "../../base/known-secrets.ts";
import { usualSecretAges } from "../../base/secret-ages.ts";
import { isMarkOf, type MarkedMessage, marksOf, marksOn, type Spoken, systemUser } from "./automatic.ts";

export type GuardKeys = ReturnType<typeof createGuardKeys>;

interface GuardKeysOptions {
  readonly readSecret: ReadSecret;
  /** Name or ARN. Its value is the key, as text. */
  readonly secretId: string;
  readonly ages?: CacheAges;
  readonly now: () => number;
  readonly random?: () => number;
}

/** Nothing was sent. `cause` has the reason. */
export class GuardKeyError extends OwnError {
  override readonly name = "GuardKeyError";
  readonly maybeExecuted = false as const;

  constructor(secretId: string, cause: unknown) {
    super(
      `The key for marks on automatic messages cannot be read from the secret ${secretId}: nothing is sent.`,
      { cause },
    );
  }
}

/** Minimum interval between reads, so that forged marks cannot cause more. */
const leastAgeMs = 10_000;
/** CloudFormation generates 64; a shorter key is a manual mistake. */
const leastCharacters = 32;

/**
 * Keys of marks, independent of passwords and API keys. All methods throw GuardKeyError if the secret has no
 * key or cannot be read: events wait.
 */
export function createGuardKeys({
  readSecret,
  secretId,
  ages = usualSecretAges,
  now,
  random,
}: GuardKeysOptions) {
  const toKey = (value: string | undefined): Uint8Array => {
    if (value !== undefined && value.length >= leastCharacters) {
      rememberSecret(value);
      return Buffer.from(value, "utf8");
    }
    throw new InvalidSecretError(
      `Secret ${secretId} holds no key for the marks of automatic messages: it must be a text of at least ${leastCharacters} characters.`,
    );
  };
  // The cached previous version may predate the latest change.
  let last: Uint8Array | undefined;
  let former: Uint8Array | undefined;
  const cached = <T>(load: (deadlineMs: number) => Promise<T>) =>
    createCached({ load, ages, now, random, maxWaitMs: secretMaxWaitMs });
  const current = cached(async (deadlineMs) => {
    const key = toKey(await readSecret(secretId, undefined, deadlineMs - now()));
    if (last !== undefined && !Buffer.from(last).equals(key)) former = last;
    last = key;
    return key;
  });
  const previous = cached(async (deadlineMs) => {
    try {
      return toKey(await readSecret(secretId, "AWSPREVIOUS", deadlineMs - now()));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
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
    /** For new marks. */
    current: (): Promise<Uint8Array> => orWhy(current.get()),
    /** Reloaded unless just loaded: another process may use a newer one. */
    newest: (): Promise<Uint8Array> => orWhy(newest()),
    /** From before the last change. */
    older: (): Promise<Uint8Array[]> => orWhy(older()),
  };
}

/**
 * A secret that never changed has no previous version, and a manual first version may not be a key.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
function isMissing(error: unknown) {
  return error instanceof InvalidSecretError || isNotFound(error);
}

export interface HeardMessage extends MarkedMessage {
  readonly id?: string | undefined;
  readonly sender?: string | undefined;
  readonly receiverType?: string | undefined;
  readonly receiver?: string | undefined;
}

/** Returns whether the mark is this message's: the first's that claims it. Repeatable. */
export type ClaimMark = (mark: string, messageId: string) => Promise<boolean>;

/** One app's. Throws the errors of GuardKeys if it needs a key, and of `claim`. */
export type LoopGuard = ReturnType<typeof createLoopGuard>;

/** Without `claim`, `isOwn` knows no marks. */
export function createLoopGuard(keys: GuardKeys, appId: string, claim?: ClaimMark) {
  const validMarks = async (message: HeardMessage, effectKey?: string) => {
    const { sender, receiverType, receiver } = message;
    if (sender === undefined || receiverType === undefined || receiver === undefined) return [];
    const spoken = { appId, sender, receiverType, receiver };
    const marks = marksOn(message);
    if (marks.length === 0) return marks;
    const madeWith = (key: Uint8Array) => marks.filter((mark) => isMarkOf(mark, spoken, key, effectKey));
    const current = madeWith(await keys.current());
    if (current.length > 0) return current;
    // Usually forged or copied, but the key may have changed.
    return [await keys.newest(), ...(await keys.older())].flatMap(madeWith);
  };

  return {
    /** Reads the key in advance; its use throws the error. */
    warm: () => void keys.current().catch(() => undefined),
    mark: async (effectKey: string, spoken: Omit<Spoken, "appId">) =>
      marksOf(effectKey, { appId, ...spoken }, await keys.current()),
    /** Reads a key only for something in the form of a mark. */
    isOwn: async (message: HeardMessage) => {
      const { id, sender } = message;
      if (sender === systemUser) return true;
      for (const mark of await validMarks(message)) {
        if (id !== undefined && (await claim?.(mark, id))) return true;
      }
      return false;
    },
    isOf: async (effectKey: string, message: HeardMessage) =>
      (await validMarks(message, effectKey)).length > 0,
  };
}
