import { AwsCallError, type AwsCaller } from "../aws/aws-call.ts";
import { InvalidSecretError, parseSecret } from "../aws/secrets/parse-secret.ts";
import { readSecretValue, type SecretStage } from "../aws/secrets/read-secret-value.ts";
import { secretIdOf } from "../aws/secrets/secret-id.ts";
import { type CacheAges, type Cached, createCached } from "../base/cached.ts";
import { type CredentialsDigest, digestCredentials } from "../base/http/basic-auth.ts";
import { usualSecretAges } from "../base/secret-ages.ts";
import type { EventFamily } from "../events/identity.ts";

/** May have their own credentials. */
export type SenderFamily = EventFamily | "moderation";

/**
 * `get` returns the secret's current version, and others once needed; `refresh` returns all: a request is
 * refused only after it.
 */
export type WebhookCredentials = Pick<Cached<AcceptedSenders>, "get" | "refresh">;

export interface AcceptedSenders {
  readonly senders: readonly AcceptedSender[];
  readonly signingKeys: readonly string[];
}

export interface AcceptedSender {
  readonly digest: CredentialsDigest;
  readonly families: readonly SenderFamily[];
  readonly isReplaced?: true;
  /** Milliseconds since 1970: refused from then on. Default: when the secret drops them. */
  readonly untilMs?: number;
}

export interface WebhookCredentialsOptions {
  readonly callAws: AwsCaller;
  readonly secretPrefix: string;
  readonly appId: string;
  readonly ages?: CacheAges;
  readonly now: () => number;
  /** From 0 up to 1. Default: Math.random. */
  readonly random?: (() => number) | undefined;
}

/** May have `<family>Username` and `<family>Password` in the secret; otherwise the webhook's apply. */
const otherFamilies = ["legacy", "bot", "notification", "extension", "moderation"] as const;

/**
 * As digests: AWSCURRENT, and AWSPENDING and AWSPREVIOUS, read only for a request without the current ones.
 * So a new password may be set on the platform first, while pending here, or last. A replaced one with an end
 * in the secret is refused from then on, also by a process that has not read the secret since.
 * @throws AwsCallError, InvalidSecretError if the current version is incomplete
 */
export function createWebhookCredentials(options: WebhookCredentialsOptions): WebhookCredentials {
  const { callAws, secretPrefix, appId, ages = usualSecretAges, now, random } = options;
  const secretId = secretIdOf(secretPrefix, appId);

  const read = async (stage: SecretStage, deadlineMs: number): Promise<AcceptedSenders> =>
    readSenders(secretId, await readSecretValue(callAws, secretId, stage, deadlineMs));
  const current = createCached({ load: (deadlineMs) => read("AWSCURRENT", deadlineMs), ages, now, random });
  const others = createCached({
    load: (deadlineMs) =>
      Promise.all([
        read("AWSPENDING", deadlineMs).catch(ignoreUnusable),
        read("AWSPREVIOUS", deadlineMs).then(replaced, ignoreUnusable),
      ]),
    ...{ ages, now, random },
  });

  const living = (accepted: AcceptedSenders): AcceptedSenders =>
    accepted.senders.some(isOver) ? { ...accepted, senders: accepted.senders.filter(isLiving) } : accepted;
  const isOver = ({ untilMs }: AcceptedSender) => untilMs !== undefined && !(now() < untilMs);
  const isLiving = (sender: AcceptedSender) => !isOver(sender);

  return {
    get: async (deadlineMs) => {
      const known = others.peek();
      return living(merge(await current.get(deadlineMs), known));
    },
    refresh: async (minAgeMs, deadlineMs) =>
      living(
        merge(
          ...(await Promise.all([
            current.refresh(minAgeMs, deadlineMs),
            others.refresh(minAgeMs, deadlineMs),
          ])),
        ),
      ),
  };
}

function replaced({ senders, signingKeys }: AcceptedSenders): AcceptedSenders {
  return { senders: senders.map((sender) => ({ ...sender, isReplaced: true })), signingKeys };
}

const noSenders: AcceptedSenders = { senders: [], signingKeys: [] };

function merge(current: AcceptedSenders, others: readonly AcceptedSenders[] = []): AcceptedSenders {
  if (others.length === 0) return current;
  const all = [current, ...others];
  return {
    senders: all.flatMap(({ senders }) => senders),
    // Without a key in the current version, signatures are not checked.
    signingKeys: current.signingKeys.length === 0 ? [] : all.flatMap(({ signingKeys }) => signingKeys),
  };
}

function readSenders(secretId: string, value: unknown): AcceptedSenders {
  const { text, optionalText } = parseSecret(secretId, value);
  const digestOf = (prefix: string, other?: string) =>
    digestCredentials({
      username: text(`${prefix}Username`),
      password: other ?? text(`${prefix}Password`),
    });
  const hasOwn = (family: string) =>
    (optionalText(`${family}Username`) ?? optionalText(`${family}Password`)) !== undefined;

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
              // An unparsable end counts as past: an end was intended.
              ...(replacedUntil !== undefined && { untilMs: Date.parse(replacedUntil) }),
            },
          ]),
    ],
    signingKeys: signingKey === undefined ? [] : [signingKey],
  };
}

/**
 * An unchanged secret has no previous version, most have no pending one; either may be incomplete or not
 * permitted here. A failed read is handled elsewhere.
 */
function ignoreUnusable(error: unknown): AcceptedSenders {
  const isAbsent = error instanceof AwsCallError && /^(ResourceNotFound|AccessDenied)/.test(error.code);
  if (isAbsent || error instanceof InvalidSecretError) return noSenders;
  throw error;
}
