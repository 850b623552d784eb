import { tryEach } from "../../base/batching.ts";
import { sha256Hex } from "../../base/digest.ts";
import { rememberSecret } from "../../base/known-secrets.ts";
import { readRegion } from "../../chat/address.ts";
import {
  type ChatClientOptions,
  type ComposedChatClient,
  composeOn,
  openConnection,
} from "../../chat/compose.ts";
import type { ChatApiError } from "../../chat/errors.ts";
import { isCode, refusesCredentials, unlessMissing } from "../../chat/is-code.ts";
import { apiKeys } from "../../chat/resources/keys-and-tokens.ts";
import type { ApiKey } from "../../chat/types/api-keys.ts";
import {
  fieldText,
  RotationError,
  type RotationTrouble,
  readReplacedKeys,
  rotateCommand,
  type StoredFields,
} from "./rotated-credentials.ts";
import { pendingKeyOf, storedKeys } from "./run-rotation.ts";
import type { CredentialRotation, SecretState } from "./secret-versions.ts";

export interface ApiKeyRotationOptions {
  readonly appId: string;
  readonly secretArn: string;
  /** The secret has app, region and key. */
  readonly client: Omit<ChatClientOptions, "appId" | "region" | "apiKey">;
  readonly deadlineMs?: number | undefined;
  readonly given?: string | undefined;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

type ApiKeys = ComposedChatClient<{ apiKeys: typeof apiKeys }>["apiKeys"];

/** Another run may be about to store a younger key. */
const youngMs = 600_000;
/** Another run may delete an older key before this one has stored it. */
const takenMs = 300_000;
/** It is not documented whether a new key is valid everywhere immediately. */
const proofTries = 4;
const proofPauseMs = 5_000;

/** Keys are named after their secret, to find created ones that were not stored. */
export class ApiKeyRotation implements CredentialRotation {
  readonly proveGiven: CredentialRotation["proveGiven"];
  readonly #options: ApiKeyRotationOptions;
  readonly #ownPrefix: string;

  constructor(options: ApiKeyRotationOptions) {
    const { given, secretArn } = options;
    if (given !== undefined) rememberSecret(given);
    this.proveGiven =
      given === undefined
        ? undefined
        : (current) => this.#prove(given, current, { trouble: "given-refused" });
    this.#options = options;
    this.#ownPrefix = keyNamePrefix(secretArn);
  }

  async make(state: SecretState, versionId: string, isLeaked: boolean): Promise<string> {
    const { appId, given } = this.#options;
    if (given !== undefined) return given;
    const { keys, own, stored } = await this.#findWorking(state);
    const left = own.find(
      ({ apiKey, scope, createdAt }) =>
        scope === "fullAccess" && !stored.includes(apiKey) && this.#isYoung(createdAt, takenMs),
    );
    if (left !== undefined && !isLeaked) return left.apiKey;
    const name = `${this.#ownPrefix}${versionId.slice(0, 12)}`;
    const made = async () => (await this.#findOwn(keys)).find((key) => key.name === name);
    try {
      const { apiKey } = await keys.create({ name, scope: "fullAccess" }, { alreadyDone: made });
      rememberSecret(apiKey);
      return apiKey;
    } catch (error) {
      if (!isCode(error, "ERR_PLAN_QUOTA_RESTRICTION")) throw error;
      throw new RotationError(
        "too-many-keys",
        `App ${appId} has as many API keys as the platform allows (25).`,
        `Delete those that rotations left: ${rotateCommand("finish", { appId })}; or else unused ones in the dashboard. Then run this again.`,
      );
    }
  }

  async prove(pending: StoredFields): Promise<void> {
    await this.#prove(keyOf(pending, this.#options.appId), pending);
  }

  async switchOver(): Promise<void> {} // readers of the secret have it

  async retire(_replaced: string, current: StoredFields, isLeaked: boolean): Promise<void> {
    const { appId, sleep } = this.#options;
    const inUse = keyOf(current, appId).trim();
    const keys = this.#keysWith(inUse, current);
    const replaced = readReplacedKeys(current);
    const isOver = ({ apiKey, name, createdAt, scope }: ApiKey) => {
      // Clients log in with an Auth Key, which was stored by mistake.
      if (replaced.includes(apiKey)) return scope !== "authOnly";
      return name?.startsWith(this.#ownPrefix) === true && (isLeaked || !this.#isYoung(createdAt));
    };
    for (let tries = 0; ; tries += 1) {
      const listed = await readAll(keys.list({}));
      const others = listed.filter(({ apiKey }) => apiKey !== inUse);
      const over = others.filter(isOver);
      const isWhole = others.length < listed.length;
      if (isWhole && over.length === 0) return;
      if (!isWhole || tries === proofTries) {
        throw new RotationError(
          "keys-unlisted",
          `The platform's list of the API keys of app ${appId} lacks the one in use, or has deleted ones. The replaced ones may still work.`,
          `Run this again: ${rotateCommand("finish", { appId })}; or delete them in the dashboard.`,
        );
      }
      if (tries > 0) await sleep(proofPauseMs);
      await deleteAll(keys, over);
    }
  }

  async sweep(state: SecretState): Promise<boolean> {
    const { fields } = state.current;
    const inUse = fieldText(fields, "apiKey");
    // The operator has not entered a key yet.
    if (inUse === undefined) return false;
    const keys = this.#keysWith(inUse, fields);
    const stored = storedKeys(state, true);
    const own = await this.#findOwn(keys);
    const left = own.filter((key) => !stored.includes(key.apiKey) && !this.#isYoung(key.createdAt));
    await deleteAll(keys, left);
    return left.length > 0;
  }

  #isYoung(createdAt: number | undefined, ms = youngMs): boolean {
    return createdAt === undefined || this.#options.now() - createdAt * 1_000 < ms;
  }

  async mustReplace(
    { current, pending }: SecretState,
    isLeaked: boolean,
  ): Promise<"replace" | "replaced" | "leave"> {
    const { given } = this.#options;
    const inUse = fieldText(current.fields, "apiKey");
    const brought = pendingKeyOf(pending?.fields);
    if (given !== undefined) {
      if (given === brought) return "leave";
      // The key in use also replaces a pending one, and ends the others after a leak.
      return given === inUse && brought === undefined && !isLeaked ? "replaced" : "replace";
    }
    const apiKey = brought ?? inUse;
    if (isLeaked || apiKey === undefined) return "replace";
    try {
      // A key in use was proven before.
      await this.#prove(apiKey, current.fields, { most: brought === undefined ? 1 : proofTries });
      return "leave";
    } catch (error) {
      if (error instanceof RotationError) return "replace";
      throw error;
    }
  }

  async isDead(state: SecretState): Promise<boolean> {
    try {
      await this.#findWorking(state);
      return false;
    } catch (error) {
      if (!refusesCredentials(error)) throw error;
      return true;
    }
  }

  #keysWith(apiKey: string, fields: StoredFields): ApiKeys {
    const { client, appId, deadlineMs } = this.#options;
    const region = readRegion(fieldText(fields, "region"));
    const connection = openConnection({ ...client, appId, region, apiKey });
    return composeOn(connection, { apiKeys }, (_, options, send) => send({ ...options, deadlineMs })).apiKeys;
  }

  async #findOwn(keys: ApiKeys): Promise<readonly ApiKey[]> {
    const found = await readAll(keys.list({}));
    return found.filter(({ name }) => name?.startsWith(this.#ownPrefix));
  }

  async #prove(
    apiKey: string,
    fields: StoredFields,
    { most = proofTries, trouble = "not-proven" }: { most?: number; trouble?: RotationTrouble } = {},
  ): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        for await (const _key of this.#keysWith(apiKey, fields).list({})) break; // only for a full key
        return;
      } catch (error) {
        if (!refusesCredentials(error)) throw error;
        if (tries >= most || error.status === 403) throw notProven(this.#options.appId, error.code, trouble);
      }
      await this.#options.sleep(proofPauseMs);
    }
  }

  /** @throws the first key's ChatApiError, if none may create another */
  async #findWorking(state: SecretState) {
    const stored = storedKeys(state, false);
    let refused: ChatApiError | undefined;
    for (const apiKey of stored) {
      try {
        const keys = this.#keysWith(apiKey, state.current.fields);
        return { keys, own: await this.#findOwn(keys), stored };
      } catch (error) {
        if (!refusesCredentials(error)) throw error;
        refused ??= error;
      }
    }
    throw refused ?? noKey(this.#options.appId);
  }
}

/** One page allows 50 characters. */
export function keyNamePrefix(secretArn: string): string {
  return `cometchat-functions ${sha256Hex(secretArn).slice(0, 12)} `;
}

function deleteAll(keys: ApiKeys, over: readonly ApiKey[]) {
  return tryEach(over, 4, ({ apiKey }) => unlessMissing("ERR_APIKEY_NOT_FOUND", keys.delete(apiKey)));
}

function readAll(list: AsyncIterable<ApiKey>) {
  return Array.fromAsync(list, (key) => {
    rememberSecret(key.apiKey);
    return key;
  });
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

function notProven(appId: string, code: string, trouble: RotationTrouble): RotationError {
  return new RotationError(
    trouble,
    `The platform refuses the new key of app ${appId} (${code}). The old one stays in use.`,
    `The key must be of scope fullAccess and of this app: take one from the dashboard (REST API key), then ${rotateCommand("api-key --api-key-stdin", { appId })}`,
  );
}
