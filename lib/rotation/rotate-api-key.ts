import { type ChatClientOptions, type ComposedChatClient, composeChatClient } from "../chat/compose.ts";
import { ChatApiError } from "../chat/errors.ts";
import { apiKeys } from "../chat/resources/api-keys.ts";
import { sha256Hex } from "../digest.ts";
import { rememberSecret } from "../known-secrets.ts";
import { fieldText, type StoredFields } from "./rotated-things.ts";
import { RotationError } from "./rotation-error.ts";
import type { ThingRotation } from "./run-rotation.ts";

export interface ApiKeyRotationOptions {
  readonly appId: string;
  /** Of the app's secret: names the keys that are made for it, and no other deployment's. */
  readonly secretArn: string;
  /** How the platform is reached; app, region and key are the secret's. */
  readonly client: Omit<ChatClientOptions, "appId" | "region" | "apiKey">;
  /** A key made elsewhere, where the one in use cannot make one. */
  readonly given?: string | undefined;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

type ApiKeys = ComposedChatClient<{ apiKeys: typeof apiKeys }>["apiKeys"];

/** A key that is this young may be one that somebody is about to store. */
const youngMs = 600_000;
/** Whether a new key counts everywhere at once is not documented. */
const proofTries = 4;
const proofPauseMs = 5_000;

/**
 * Makes what is particular to the key of the platform's REST API. Keys are named after the secret that they are made for, so
 * that one which was made and not stored is found by the next run.
 */
export function createApiKeyRotation(options: ApiKeyRotationOptions): ThingRotation {
  const { appId, secretArn, client, given, now, sleep } = options;
  const ownPrefix = keyNamePrefix(secretArn);
  const keysWith = (apiKey: string, fields: StoredFields): ApiKeys =>
    composeChatClient({ ...client, appId, region: fieldText(fields, "region"), apiKey }, { apiKeys }).apiKeys;
  const keysOf = (fields: StoredFields): ApiKeys => keysWith(keyOf(fields, appId), fields);
  const findOwn = async (keys: ApiKeys) => {
    const found = [];
    for await (const key of keys.list({ searchKey: ownPrefix })) {
      rememberSecret(key.apiKey);
      if (key.name?.startsWith(ownPrefix) === true) found.push(key);
    }
    return found;
  };

  const prove = async (apiKey: string, fields: StoredFields): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        for await (const _key of keysWith(apiKey, fields).list({})) break; // which a full key alone may
        return;
      } catch (error) {
        if (!(error instanceof ChatApiError) || (error.status !== 401 && error.status !== 403)) throw error;
        if (tries >= proofTries || error.status === 403) throw notProven(appId, error.code);
      }
      await sleep(proofPauseMs);
    }
  };

  return {
    make: async (current, versionId) => {
      if (given !== undefined) {
        rememberSecret(given);
        await prove(given, current);
        return given;
      }
      const keys = keysOf(current);
      const inUse = [fieldText(current, "apiKey"), fieldText(current, "replacedApiKey")];
      const left = (await findOwn(keys)).find(
        ({ apiKey, scope }) => scope === "fullAccess" && !inUse.includes(apiKey),
      );
      if (left !== undefined) return left.apiKey;
      const name = `${ownPrefix}${versionId.slice(0, 12)}`;
      const made = async () => (await findOwn(keys)).find((key) => key.name === name);
      try {
        const { apiKey } = await keys.create({ name, scope: "fullAccess" }, { alreadyDone: made });
        rememberSecret(apiKey);
        return apiKey;
      } catch (error) {
        if (!(error instanceof ChatApiError) || error.code !== "ERR_PLAN_QUOTA_RESTRICTION") throw error;
        throw new RotationError(
          "too-many-keys",
          `App ${appId} has as many API keys as the platform allows (25).`,
          "Delete keys that nobody uses in the dashboard, then run this again.",
        );
      }
    },

    prove: (pending) => prove(keyOf(pending, appId), pending),

    switchOver: async () => {}, // whoever has the secret has the key

    retire: async (replaced, current) => {
      const keys = keysOf(current);
      await deleteKey(keys, replaced);
      for (const { apiKey, createdAt } of await findOwn(keys)) {
        const isYoung = createdAt === undefined || now() - createdAt * 1_000 < youngMs;
        if (apiKey !== fieldText(current, "apiKey") && !isYoung) await deleteKey(keys, apiKey);
      }
    },
  };
}

/** Gives how the names of keys begin that are made for a secret: below the 50 characters that one page allows. */
export function keyNamePrefix(secretArn: string): string {
  return `cometchat-functions ${sha256Hex(secretArn).slice(0, 12)} `;
}

async function deleteKey(keys: ApiKeys, apiKey: string): Promise<void> {
  try {
    await keys.delete(apiKey);
  } catch (error) {
    if (!(error instanceof ChatApiError) || error.code !== "ERR_APIKEY_NOT_FOUND") throw error;
  }
}

function keyOf(fields: StoredFields, appId: string): string {
  const apiKey = fieldText(fields, "apiKey");
  if (apiKey !== undefined) return apiKey;
  throw new RotationError(
    "secret-unfit",
    `The secret of app ${appId} has no "apiKey".`,
    "Fill the secret in first, or give a key with --api-key-stdin.",
  );
}

function notProven(appId: string, code: string): RotationError {
  return new RotationError(
    "not-proven",
    `The platform refuses the new key of app ${appId} (${code}). The old one stays in use.`,
    "The key must be of scope fullAccess and of this app. `rotate abandon` takes a pending key back.",
  );
}
