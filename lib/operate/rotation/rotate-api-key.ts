import { sha256Hex } from "../../base/digest.ts";
import { rememberSecret } from "../../base/known-secrets.ts";
import { type ChatClientOptions, type ComposedChatClient, composeChatClient } from "../../chat/compose.ts";
import { ChatApiError } from "../../chat/errors.ts";
import { type ApiKey, apiKeys } from "../../chat/resources/api-keys.ts";
import { pendingKeyOf, storedKeys } from "./replace-key.ts";
import { fieldText, readReplacedKeys, type StoredFields } from "./rotated-things.ts";
import { RotationError, rotateCommand } from "./rotation-error.ts";
import type { ThingRotation } from "./rotation-tools.ts";
import type { SecretState } from "./secret-versions.ts";

export interface ApiKeyRotationOptions {
  readonly appId: string;
  /** The app's secret: names the keys that belong to this deployment. */
  readonly secretArn: string;
  /** How the platform is reached; app, region and key come from the secret. */
  readonly client: Omit<ChatClientOptions, "appId" | "region" | "apiKey">;
  /** An existing key, if the one in use cannot create one. */
  readonly given?: string | undefined;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

type ApiKeys = ComposedChatClient<{ apiKeys: typeof apiKeys }>["apiKeys"];

/** Another run may be about to store a key that is this young. */
const youngMs = 600_000;
/** Whether a new key is valid everywhere immediately is not documented. */
const proofTries = 4;
const proofPauseMs = 5_000;

/**
 * Creates the rotation of the platform's REST API key. Keys are named after their secret, so that the next
 * run finds one that was created and not stored.
 */
export function createApiKeyRotation(options: ApiKeyRotationOptions): ThingRotation {
  const { appId, secretArn, client, given, now, sleep } = options;
  if (given !== undefined) rememberSecret(given);
  const ownPrefix = keyNamePrefix(secretArn);
  const keysWith = (apiKey: string, fields: StoredFields): ApiKeys =>
    composeChatClient({ ...client, appId, region: fieldText(fields, "region"), apiKey }, { apiKeys }).apiKeys;
  const findOwn = async (keys: ApiKeys) =>
    (await readAll(keys.list({ searchKey: ownPrefix }))).filter(({ name }) => name?.startsWith(ownPrefix));

  const prove = async (apiKey: string, fields: StoredFields, most = proofTries): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        for await (const _key of keysWith(apiKey, fields).list({})) break; // which only a full key may
        return;
      } catch (error) {
        if (!isKeyRefused(error)) throw error;
        if (tries >= most || error.status === 403) throw notProven(appId, error.code);
      }
      await sleep(proofPauseMs);
    }
  };

  const isTaken = async (apiKey: string | undefined, fields: StoredFields, tries: number) => {
    if (apiKey === undefined) return false;
    try {
      await prove(apiKey, fields, tries);
      return true;
    } catch (error) {
      if (error instanceof RotationError) return false;
      throw error;
    }
  };

  /** Finds a key that may create another one. @throws the first key's ChatApiError, if none may */
  const findWorking = async (state: SecretState) => {
    const { current } = state;
    const stored = storedKeys(state, false);
    let refused: ChatApiError | undefined;
    for (const apiKey of stored) {
      try {
        const keys = keysWith(apiKey, current.fields);
        return { keys, own: await findOwn(keys), stored };
      } catch (error) {
        if (!isKeyRefused(error)) throw error;
        refused ??= error;
      }
    }
    throw refused ?? noKey(appId);
  };

  return {
    make: async (state, versionId) => {
      if (given !== undefined) return given;
      const { keys, own, stored } = await findWorking(state);
      const left = own.find(({ apiKey, scope }) => scope === "fullAccess" && !stored.includes(apiKey));
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
          "Delete unused keys in the dashboard, then run this again.",
        );
      }
    },

    proveGiven: given === undefined ? undefined : (current) => prove(given, current),

    prove: (pending) => prove(keyOf(pending, appId), pending),

    switchOver: async () => {}, // readers of the secret have the key

    retire: async (_replaced, current, isLeaked) => {
      const inUse = keyOf(current, appId);
      const keys = keysWith(inUse, current);
      const replaced = readReplacedKeys(current);
      const isOver = ({ apiKey, name, createdAt, scope }: ApiKey) => {
        // An Auth Key that was stored by mistake is what clients log in with.
        if (replaced.includes(apiKey)) return scope !== "authOnly";
        const isYoung = createdAt === undefined || now() - createdAt * 1_000 < youngMs;
        return name?.startsWith(ownPrefix) === true && (isLeaked || !isYoung);
      };
      for (const key of await readAll(keys.list({}))) {
        if (key.apiKey !== inUse && isOver(key)) await deleteKey(keys, key.apiKey);
      }
    },

    mustReplace: async (state, isLeaked) => {
      const { current, pending } = state;
      const inUse = fieldText(current.fields, "apiKey");
      const brought = pendingKeyOf(pending?.fields);
      if (given !== undefined) {
        if (given === brought) return "leave";
        // The one in use also replaces a pending one, and ends the others after a leak.
        return given === inUse && brought === undefined && !isLeaked ? "replaced" : "replace";
      }
      if (isLeaked) return "replace";
      // A key that was in use was proven before, and needs one request.
      const tries = brought === undefined ? 1 : proofTries;
      return (await isTaken(brought ?? inUse, current.fields, tries)) ? "leave" : "replace";
    },
  };
}

/** Returns the prefix of the names of keys for a secret: below the 50 characters that one page allows. */
export function keyNamePrefix(secretArn: string): string {
  return `cometchat-functions ${sha256Hex(secretArn).slice(0, 12)} `;
}

async function readAll(list: AsyncIterable<ApiKey>): Promise<readonly ApiKey[]> {
  const keys = [];
  for await (const key of list) {
    rememberSecret(key.apiKey);
    keys.push(key);
  }
  return keys;
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
  throw noKey(appId);
}

function noKey(appId: string): RotationError {
  return new RotationError(
    "secret-unfit",
    `The secret of app ${appId} has no "apiKey".`,
    `Fill the secret in first, or give a key: ${rotateCommand("api-key --api-key-stdin", { appId })}`,
  );
}

/**
 * Returns whether the platform refused a call's key: it is dead, another app's, or its scope is too small.
 */
export function isKeyRefused(error: unknown): error is ChatApiError {
  return error instanceof ChatApiError && (error.status === 401 || error.status === 403);
}

function notProven(appId: string, code: string): RotationError {
  return new RotationError(
    "not-proven",
    `The platform refuses the new key of app ${appId} (${code}). The old one stays in use.`,
    `The key must be of scope fullAccess and of this app: take one from the dashboard (REST API key), then ${rotateCommand("api-key --api-key-stdin", { appId })}`,
  );
}
