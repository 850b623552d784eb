import { type AwsCaller, isNotFoundOrDenied } from "../aws/aws-call.ts";
import { InvalidSecretError, ownCredentialsIn, readSecretFields } from "../aws/secrets/parse-secret.ts";
import {
  readSecretVersion,
  type SecretStage,
  type StoredVersion,
  webhookSecretIdOf,
} from "../aws/secrets/read-secret-value.ts";
import { type Cached, createCached } from "../base/cached.ts";
import { type CredentialsDigest, digestCredentials } from "../base/http/basic-auth.ts";
import { type SecretAges, usualSecretAges } from "../base/secret-ages.ts";
import type { EventFamily } from "../events/identity.ts";

export type SenderFamily = EventFamily | "moderation";

/**
 * `get` returns the secret's current version, and others once needed; `refresh` returns all: only then is a
 * request refused.
 */
export type WebhookCredentials = Pick<Cached<AcceptedSenders>, "get" | "refresh">;

export interface AcceptedSenders {
  readonly senders: readonly AcceptedSender[];
  readonly signingKeys: readonly string[];
  /** Refuses deliveries without a valid signature; without a key, all. */
  readonly isSignatureRequired?: boolean | undefined;
}

export interface AcceptedSender {
  readonly digest: CredentialsDigest;
  readonly families: readonly SenderFamily[];
  readonly isReplaced?: true;
  /** End of validity. Default: when the secret drops them. */
  readonly untilMs?: number;
}

export interface WebhookCredentialsOptions {
  readonly callAws: AwsCaller;
  readonly secretPrefix: string;
  readonly appId: string;
  readonly ages?: SecretAges;
  readonly now: () => number;
  /** Random number from 0 to 1. Default: Math.random. */
  readonly random?: (() => number) | undefined;
}

/** These may have `<family>Username` and `<family>Password` in the secret. Default: the webhook's. */
const otherFamilies = ["legacy", "bot", "notification", "extension", "moderation"] as const;

/**
 * Caches credentials as digests: AWSCURRENT, and AWSPENDING and AWSPREVIOUS, which are read only for a
 * request without the current ones. So a new password may be set on the platform before or after it becomes
 * current here. A replaced one is refused after its end, also by a process that has not read the secret
 * since. Both methods throw AwsCallError, and InvalidSecretError if the current version is incomplete.
 */
export function createWebhookCredentials(options: WebhookCredentialsOptions): WebhookCredentials {
  const { callAws, secretPrefix, appId, ages = usualSecretAges, now, random } = options;
  const secretId = webhookSecretIdOf(secretPrefix, appId);

  const read = async (stage: SecretStage, deadlineMs: number): Promise<ReadVersion> =>
    readSenders(secretId, await readSecretVersion(callAws, secretId, stage, deadlineMs));
  const current = createCached({
    load: (deadlineMs) => read("AWSCURRENT", deadlineMs),
    ages,
    now,
    random,
  });
  const others = createCached({
    load: async (deadlineMs) => {
      const [pending, previous, { createdAtMs }] = await Promise.all([
        read("AWSPENDING", deadlineMs).catch(ignoreUnusable),
        read("AWSPREVIOUS", deadlineMs).catch(ignoreUnusable),
        current.refresh(sameVersionMs, deadlineMs),
      ]);
      // Secrets Manager does not return when a version was replaced: at the earliest, when the newer was
      // created.
      const untilMs = Math.max(createdAtMs, previous.createdAtMs) + ages.previousMs;
      const senders = ownSenders(previous).map((sender) => ({ ...sender, isReplaced: true as const }));
      return [
        { ...pending, senders: ownSenders(pending) },
        { ...previous, senders, untilMs },
      ];
    },
    ages,
    now,
    random,
  });

  const isValid = ({ untilMs = Number.POSITIVE_INFINITY }: { readonly untilMs?: number }) => now() < untilMs;
  const merge = (version: ReadVersion, known: readonly EndingVersion[] = []): AcceptedSenders => {
    if (known.length === 0 && version.senders.every(isValid)) return version;
    const all = [version, ...known.filter(isValid)];
    return {
      ...version,
      senders: all.flatMap(({ senders }) => senders).filter(isValid),
      // Without a key in the current version, signatures are not checked.
      signingKeys: version.signingKeys.length === 0 ? [] : all.flatMap(({ signingKeys }) => signingKeys),
    };
  };

  return {
    get: async (deadlineMs) => {
      const known = others.peek();
      return merge(await current.get(deadlineMs), known);
    },
    refresh: async (minAgeMs, deadlineMs) => {
      const [version, known] = await Promise.all([
        current.refresh(minAgeMs, deadlineMs),
        others.refresh(minAgeMs, deadlineMs),
      ]);
      // Reading the others may also have read a newer current version.
      return merge(current.peek() ?? version, known);
    },
  };
}

/** Versions read this soon after each other belong together. */
const sameVersionMs = 1_000;

/** Only the current version names a replaced password: an operator may have ended a leaked one. */
function ownSenders({ senders }: AcceptedSenders): readonly AcceptedSender[] {
  return senders.filter(({ isReplaced }) => !isReplaced);
}

type ReadVersion = AcceptedSenders & { readonly createdAtMs: number };
type EndingVersion = AcceptedSenders & { readonly untilMs?: number };

function readSenders(secretId: string, { SecretString, CreatedDate }: StoredVersion): ReadVersion {
  const { text, optionalText } = readSecretFields(secretId, SecretString);
  const digestOf = (prefix: string, other?: string) =>
    digestCredentials({
      username: text(`${prefix}Username`),
      password: other ?? text(`${prefix}Password`),
    });
  const hasOwn = ownCredentialsIn(optionalText);

  const families: readonly SenderFamily[] = ["webhook", ...otherFamilies.filter((family) => !hasOwn(family))];
  const signingKey = optionalText("webhookSecret");
  const replacedPassword = optionalText("replacedWebhookPassword");
  const replacedUntil = optionalText("replacedWebhookPasswordUntil");
  return {
    senders: [
      { digest: digestOf("webhook"), families },
      ...otherFamilies.filter(hasOwn).map((family) => ({ digest: digestOf(family), families: [family] })),
      ...(replacedPassword === undefined
        ? []
        : [
            {
              digest: digestOf("webhook", replacedPassword),
              families,
              isReplaced: true as const,
              // An unparsable end counts as past.
              ...(replacedUntil !== undefined && { untilMs: Date.parse(replacedUntil) }),
            },
          ]),
    ],
    signingKeys: signingKey === undefined ? [] : [signingKey],
    // Any text requires it, even a mistyped one.
    isSignatureRequired: optionalText("webhookSignature") !== undefined,
    createdAtMs: Number(CreatedDate) * 1_000,
  };
}

/**
 * Ignores missing or incomplete versions: an unchanged secret has no previous version, most have no pending
 * one.
 */
function ignoreUnusable(error: unknown): ReadVersion {
  if (isNotFoundOrDenied(error) || error instanceof InvalidSecretError) {
    return { senders: [], signingKeys: [], createdAtMs: 0 };
  }
  throw error;
}
