import { basicAuthorization } from "../../http/basic-authorization.ts";
import { checkBaseUrl } from "../address.ts";
import { InvalidInputError } from "../errors.ts";
import { createMethods } from "../methods.ts";
import type { FamilyClient } from "../operation.ts";
import type { Credentials } from "../send-request.ts";
import { createTransport, type TransportOptions } from "../transport.ts";
import { apps, tenants } from "./apps.ts";
import {
  type ExtensionId,
  type ExtensionSettingsCalls,
  requiredSettings,
  settingsOperations,
} from "./extension-settings.ts";
import { extensions } from "./extensions.ts";
import { appSettings, team } from "./team.ts";
import { webhooks } from "./webhooks.ts";

/** Key and secret of the Management API; the vendor hands them out, they are not API keys of an app. */
export interface ManagementCredentials {
  readonly key: string;
  readonly secret: string;
}

/** Where the credentials come from, when they can change. */
export interface ManagementCredentialSource {
  get(): Promise<ManagementCredentials>;
  /** Called once for a call that was answered 401, which is then repeated once. */
  refresh(): Promise<ManagementCredentials>;
}

/** How to reach the Management API. */
export interface ManagementClientOptions extends TransportOptions {
  readonly credentials: ManagementCredentials | ManagementCredentialSource;
  /** User name and password for `tenants.create`, the one operation with HTTP Basic; key and secret go along. Which ones the platform wants is not documented. */
  readonly basicAuth?: { username: string; password: string } | undefined;
  /** Default: https://apimgmt.cometchat.io. */
  readonly baseUrl?: string | undefined;
  /** Whose webhooks are meant (docs/platform/management.md#engine-of-a-webhook). Default: those of the current engine. */
  readonly engine?: "current" | "legacy" | undefined;
}

const families = { apps, tenants, team, appSettings, webhooks, extensions };

/** A client of the Management API. */
export type ManagementClient = {
  readonly [Name in keyof typeof families]: FamilyClient<(typeof families)[Name]>;
} & {
  /** Settings of extensions: one call for all of them. */
  readonly extensionSettings: ExtensionSettingsCalls;
};

/**
 * Creates a client for the account's apps, webhooks, extensions and team; every call names its app.
 * Webhooks are those of the current generation, unless told otherwise: `X-Webhook-Version: 2` goes with every call
 * (docs/platform/management.md#engine-of-a-webhook).
 * @throws InvalidInputError for credentials with odd characters or an unsafe address; nothing is sent.
 */
export function createManagementClient(options: ManagementClientOptions): ManagementClient {
  const base = checkBaseUrl(options.baseUrl ?? "https://apimgmt.cometchat.io");
  const transport = createTransport(
    () => base,
    managementCredentials(options),
    options,
    options.engine === "legacy" ? {} : { "x-webhook-version": "2" },
  );
  const methods = createMethods(transport, { ...families, extensionSettings: settingsOperations });
  const { store, update, get, delete: clear } = methods.extensionSettings;
  return {
    ...methods,
    extensionSettings: {
      store: async (appId, id, settings, call) =>
        store(appId, id, versionOf(id), bodyOf("store-extension-settings", id, settings), call),
      update: async (appId, id, settings, call) =>
        update(appId, id, versionOf(id), bodyOf("update-extension-settings", id, settings), call),
      get: async (appId, id, call) => get(appId, id, versionOf(id), call),
      delete: async (appId, id, call) => clear(appId, id, versionOf(id), call),
    },
  };
}

function versionOf(id: ExtensionId): string {
  return id === "widget" ? "v2" : "v1";
}

/** All but stickers are wrapped in `settings` (docs/platform/management.md#settings-of-extensions). */
function bodyOf(operation: string, id: ExtensionId, settings: object): Record<string, unknown> {
  const missing = requiredSettings[id]?.find((name) => !Object.hasOwn(settings, name));
  if (missing !== undefined) throw new InvalidInputError(operation, `settings.${missing}`, "given");
  return id === "stickers" ? { ...settings } : { settings: { ...settings } };
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

function checkCredential(name: string, value: unknown): string {
  if (typeof value === "string" && /^[\x21-\x7e]{1,500}$/.test(value)) return value;
  throw new InvalidInputError("createManagementClient", name, "a text without spaces or line breaks");
}
