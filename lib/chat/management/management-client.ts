import { basicAuthorization } from "../../base/http/basic-authorization.ts";
import { isRecord } from "../../base/json.ts";
import { checkBaseUrl } from "../address.ts";
import { type ChatRequest, chatRequest } from "../chat-request.ts";
import { checkPlain, type PlainRules, plainText, readPlainly } from "../check-plain.ts";
import { commonRules, isSource } from "../compose.ts";
import { InvalidInputError } from "../errors.ts";
import { abortOnSignal, guardOptions } from "../given-parts.ts";
import { type ListeningOptions, listenToTries } from "../hooks.ts";
import { createMethods } from "../methods.ts";
import type { Credentials } from "../send-request.ts";
import { createTransport, type TransportOptions } from "../transport.ts";
import type { ManagementFamilies } from "../types/families.ts";
import { appSettings, apps, team, tenants } from "./apps.ts";
import {
  type ExtensionId,
  type ExtensionSettingsCalls,
  requiredSettings,
  settingsOperations,
} from "./extension-settings.ts";
import { extensions } from "./extensions.ts";
import { webhooks } from "./webhooks.ts";

/** Key and secret from the vendor, not API keys of an app. */
export interface ManagementCredentials {
  readonly key: string;
  readonly secret: string;
}

/** Provides credentials that can change. Both methods may be called again; a call throws their errors. */
export interface ManagementCredentialSource {
  /** Called before each call; cache the result. */
  get(): Promise<ManagementCredentials>;
  /** Called once per call answered 401. The call is then sent once more. */
  refresh(): Promise<ManagementCredentials>;
}

/** How to connect to the Management API. */
export interface ManagementClientOptions extends TransportOptions, ListeningOptions {
  readonly credentials: ManagementCredentials | ManagementCredentialSource;
  /**
   * Used by `tenants.create`, the one operation with HTTP Basic; key and secret are sent too. It is not
   * documented which ones the platform requires.
   */
  readonly basicAuth?: { username: string; password: string } | undefined;
  /** Default: https://apimgmt.cometchat.io. */
  readonly baseUrl?: string | undefined;
  /**
   * The engine of the webhooks (docs/internals/platform/management.md#engine-of-a-webhook). Default: current.
   */
  readonly engine?: "current" | "legacy" | undefined;
}

const families = { apps, tenants, team, appSettings, webhooks, extensions };

/** A client of the Management API. */
export interface ManagementClient extends ManagementFamilies {
  /** Settings of extensions. */
  readonly extensionSettings: ExtensionSettingsCalls;
}

/**
 * Creates a client for the account's apps, webhooks, extensions and team. Calls send `X-Webhook-Version: 2`
 * unless `engine` is legacy (docs/internals/platform/management.md#engine-of-a-webhook).
 * @throws InvalidInputError for credentials with invalid characters or an unsafe URL; nothing is sent
 */
export function createManagementClient(options: ManagementClientOptions): ManagementClient {
  checkPlain("createManagementClient", "options", managementRules, options, ["credentials"], true);
  const base = checkBaseUrl(options.baseUrl ?? "https://apimgmt.cometchat.io");
  const transport = abortOnSignal(
    createTransport(
      () => base,
      managementCredentials(options),
      guardOptions(options),
      options.engine === "legacy" ? {} : { "x-webhook-version": "2" },
      listenToTries(options, options.now),
    ),
  );
  const methods = createMethods(transport, { ...families, extensionSettings: settingsOperations });
  const { store, update, get, delete: clear } = methods.extensionSettings;
  return {
    ...methods,
    extensionSettings: {
      store: (appId, id, settings, call) =>
        ask(() => store(appId, id, versionOf(id), bodyOf("store-extension-settings", id, settings), call)),
      update: (appId, id, settings, call) =>
        ask(() => update(appId, id, versionOf(id), bodyOf("update-extension-settings", id, settings), call)),
      get: (appId, id, call) => ask(() => get(appId, id, versionOf(id), call)),
      delete: (appId, id, call) => ask(() => clear(appId, id, versionOf(id), call)),
    },
  };
}

const managementRules: PlainRules = {
  ...commonRules,
  credentials: [
    "{ key, secret }, each a text, or { get, refresh }, each a function",
    (value) => isPair(value, "key", "secret") || isSource(value),
  ],
  basicAuth: ["{ username, password }, each a text", (value) => isPair(value, "username", "password")],
  baseUrl: plainText,
  engine: ["current or legacy", (value) => value === "current" || value === "legacy"],
};

function isPair(value: unknown, name: string, secret: string) {
  return isRecord(value) && typeof value[name] === "string" && typeof value[secret] === "string";
}

/** Fails the request if an argument is invalid. */
function ask<T>(begin: () => ChatRequest<T>): ChatRequest<T> {
  return chatRequest((async () => begin().withResponse())());
}

function versionOf(id: ExtensionId): string {
  return id === "widget" ? "v2" : "v1";
}

/** Serves all except stickers (docs/internals/platform/management.md#settings-of-extensions). */
function bodyOf(operation: string, id: ExtensionId, settings: object): Record<string, unknown> {
  return readPlainly(operation, "settings", () => {
    if (!isRecord(settings)) throw new InvalidInputError(operation, "settings", "an object");
    const missing = requiredSettings[id]?.find((name) => !Object.hasOwn(settings, name));
    if (missing !== undefined) throw new InvalidInputError(operation, `settings.${missing}`, "given", true);
    return id === "stickers" ? { ...settings } : { settings: { ...settings } };
  });
}

function managementCredentials({ credentials, basicAuth }: ManagementClientOptions): Credentials {
  const basic = basicAuth && {
    authorization: basicAuthorization(basicAuth.username, basicAuth.password),
  };
  const read = (pair: ManagementCredentials) => ({
    key: checkCredential("key", pair.key),
    secret: checkCredential("secret", pair.secret),
  });
  const fixed = "get" in credentials ? undefined : read(credentials);
  return {
    async get(useBasicAuth) {
      if (useBasicAuth && !basic) {
        throw new InvalidInputError("add-tenant", "basicAuth", "given to createManagementClient");
      }
      const headers = fixed ?? ("get" in credentials ? read(await credentials.get()) : read(credentials));
      return useBasicAuth ? { ...headers, ...basic } : headers;
    },
    secrets: basicAuth ? [basicAuth.password] : [],
    refresh: "get" in credentials ? async () => read(await credentials.refresh()) : undefined,
  };
}

function checkCredential(name: string, value: unknown) {
  if (typeof value === "string" && /^[\x21-\x7e]{1,500}$/.test(value)) return value;
  throw new InvalidInputError("createManagementClient", name, "a text without spaces or line breaks");
}
