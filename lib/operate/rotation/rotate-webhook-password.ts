import type { Post } from "../../aws/post.ts";
import { newWebhookPassword } from "../../aws/secrets/new-webhook-password.ts";
import { ownCredentialsIn } from "../../aws/secrets/parse-secret.ts";
import { describeError } from "../../base/describe-error.ts";
import { accepted } from "../../base/http/respond.ts";
import { readRegion } from "../../chat/address.ts";
import { type ChatClientOptions, composeChatClient } from "../../chat/compose.ts";
import { lacksFeature } from "../../chat/lacks-feature.ts";
import { bots } from "../../chat/resources/bots.ts";
import type { UpdateWebhookFields, Webhook } from "../../chat/types/webhooks.ts";
import { probeBody, probeHeaders } from "../../receive/probe.ts";
import { isSameReceiver, plainUrlOf } from "../../receive/webhook-url.ts";
import { fieldText, RotationError, rotateCommand, type StoredFields } from "./rotated-credentials.ts";
import type { CredentialRotation, Permit } from "./secret-versions.ts";

interface Listed extends Pick<Webhook, "id" | "name" | "webhookURL" | "enabled"> {
  readonly retryOnFailure?: unknown;
}

export interface WebhooksApi {
  list(appId: string): AsyncIterable<Listed>;
  update(
    appId: string,
    webhookId: string,
    input: UpdateWebhookFields,
    options: { readonly deadlineMs: number },
  ): Promise<unknown>;
}

type Credentials = ReturnType<typeof credentialsIn>;

export interface BotsApi {
  list(): AsyncIterable<{ readonly uid: string; readonly webhookURL?: string | undefined }>;
  update(uid: string, input: Credentials, options: { readonly deadlineMs: number }): Promise<unknown>;
}

export function connectBots(
  client: Omit<ChatClientOptions, "region" | "apiKey">,
  fields: StoredFields,
): BotsApi {
  const [region, apiKey = ""] = [readRegion(fieldText(fields, "region")), fieldText(fields, "apiKey")];
  return composeChatClient({ ...client, region, apiKey }, { bots }).bots;
}

export interface WebhookPasswordOptions {
  readonly appId: string;
  readonly receiverUrl: string;
  readonly post: Post;
  /**
   * `by-hand`: an operator enters the password in the dashboard. `entered`: the operator has confirmed it.
   */
  readonly webhooks: WebhooksApi | "by-hand" | "entered";
  /** Bots that deliver here get the password, unless the secret has credentials of bots. */
  readonly bots: () => Promise<BotsApi>;
  readonly note?: (text: string) => void;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * The age of a pending password before use: a receiver reads others at most every 5 s
 * (lib/receive/verify-sender.ts), and a read may take 1.3 s more.
 */
export const settleMs = 8_000;
/**
 * How long the old password is used: retries come 10 s and 30 s later
 * (docs/internals/platform/webhooks.md#retries), and each may take 2 s.
 */
export const retriesMs = 45_000;
const proofPauseMs = 5_000;
const proofTries = 6;

export function createWebhookPasswordRotation(options: WebhookPasswordOptions): CredentialRotation {
  const { appId, receiverUrl, post, webhooks, sleep } = options;

  return {
    make: async () => {
      // Nothing is pending yet that would have to be withdrawn.
      if (typeof webhooks === "object") {
        await listOurs(
          webhooks,
          appId,
          receiverUrl,
          `Register it: npx cometchat-functions setup --app ${appId}`,
        );
      }
      return newWebhookPassword();
    },

    prove: async (pending) => {
      await sleep(settleMs);
      let status = 0;
      for (let tries = 0; tries < proofTries; tries += 1) {
        if (tries > 0) await sleep(proofPauseMs);
        status = await probe(post, pending);
        if (status === 200) return;
      }
      throw new RotationError(
        "not-proven",
        `The receiver at ${receiverUrl} answers ${status || "nothing that is its own"} to the pending password of app ${appId}. The platform still uses the old one.`,
        "See whether the receiver is deployed, serves this app and can read its secret; then run this again.",
      );
    },

    switchOver: async (fields, permit) => {
      if (webhooks === "by-hand") {
        throw new RotationError(
          "no-management",
          `The receiver accepts the new password of app ${appId}; it must be entered on the platform manually.`,
          `Enter it in the dashboard, at the webhook with the address ${receiverUrl}; then run this again with --continue. Show it on a terminal: npx cometchat-functions setup --app ${appId} --show-password`,
        );
      }
      if (webhooks !== "entered") await setPlatformCredentials(webhooks, appId, receiverUrl, fields, permit);
      if (!ownCredentialsIn((name) => fieldText(fields, name))("bot")) {
        await setBotCredentials(options, credentialsIn(appId, fields), permit);
      }
      await sleep(retriesMs);
    },

    retire: async () => {}, // refused by the receiver from its end on
  };
}

/** Repeatable. @throws RotationError if no webhook delivers here */
export async function setPlatformCredentials(
  webhooks: WebhooksApi,
  appId: string,
  receiverUrl: string,
  fields: StoredFields,
  permit: Permit,
): Promise<void> {
  const credentials = credentialsIn(appId, fields);
  const ours = await listOurs(
    webhooks,
    appId,
    receiverUrl,
    `Withdraw the pending password (${rotateCommand("finish --abandon --continue", { appId })}), then register the webhook: npx cometchat-functions setup --app ${appId}`,
  );
  for (const webhook of ours)
    await webhooks.update(appId, webhook.id, wholeChange(webhook, credentials), await permit());
}

/**
 * A change may reset the fields that it leaves out (docs/internals/platform/management.md#webhooks).
 */
export function wholeChange({ name, webhookURL, enabled, retryOnFailure }: Listed, credentials: Credentials) {
  return { name, webhookURL, enabled, retryOnFailure: retryOnFailure !== false, ...credentials };
}

async function listOurs(webhooks: WebhooksApi, appId: string, receiverUrl: string, hint: string) {
  const ours = await keepOurs(webhooks.list(appId), receiverUrl);
  if (ours.length > 0) return ours;
  const message = `App ${appId} has no webhook that delivers to ${receiverUrl}.`;
  throw new RotationError("nothing-to-switch", message, hint);
}

async function setBotCredentials(
  { appId, receiverUrl, bots, note = () => {} }: WebhookPasswordOptions,
  credentials: Credentials,
  permit: Permit,
) {
  try {
    const api = await bots();
    for (const { uid } of await keepOurs(api.list(), receiverUrl))
      await api.update(uid, credentials, await permit());
  } catch (error) {
    if (error instanceof RotationError) throw error;
    if (lacksFeature(error)) {
      return note(`the platform has no bots for app ${appId} (${error.code})`);
    }
    throw new RotationError(
      "bots-unchanged",
      `The bots of app ${appId} that deliver to ${receiverUrl} may not have the new password: ${describeError(error)}`,
      "Until they do, both passwords are accepted. Run this again after you have checked the app's API key and its scope: npx cometchat-functions doctor",
    );
  }
}

async function keepOurs<Caller extends { readonly webhookURL?: string | undefined }>(
  callers: AsyncIterable<Caller>,
  receiverUrl: string,
) {
  return (await Array.fromAsync(callers)).filter(({ webhookURL = "" }) =>
    isSameReceiver(plainUrlOf(webhookURL), plainUrlOf(receiverUrl)),
  );
}

function credentialsIn(appId: string, fields: StoredFields) {
  const [username, password] = [fieldText(fields, "webhookUsername"), fieldText(fields, "webhookPassword")];
  if (username === undefined || password === undefined) {
    throw new RotationError(
      "secret-unfit",
      `The secret of app ${appId} has no "webhookUsername" or "webhookPassword".`,
      "Fill the secret in first.",
    );
  }
  return { useBasicAuth: true as const, username, password };
}

/** Returns 0 for no answer, or another sender's 200. */
async function probe(post: Post, fields: StoredFields) {
  const [username = "", password = "", key] = ["webhookUsername", "webhookPassword", "webhookSecret"].map(
    (name) => fieldText(fields, name),
  );
  const headers = probeHeaders(username, password, key);
  try {
    const { status, body } = await post({ headers, body: Buffer.from(probeBody), timeoutMs: 5_000 });
    return status === 200 && body !== accepted.body ? 0 : status;
  } catch {
    return 0;
  }
}
