import { createAppSecret, type SecretFieldsSource } from "../../aws/secrets/app-secret.ts";
import type { ReadSecret } from "../../aws/secrets/secret-reader.ts";
import { lazyByKey } from "../../base/lazy.ts";
import { usualSecretAges } from "../../base/secret-ages.ts";
import { createAppCredentials } from "../../chat/app-credentials.ts";
import { type ComposedChatClient, composeOn, type Guard } from "../../chat/compose.ts";
import { connectApps } from "../../chat/connect-apps.ts";
import type { Family } from "../../chat/operation.ts";
import type { TransportOptions } from "../../chat/transport.ts";

/** The app that a function works for. */
export interface OwnApp {
  readonly appId: string;
  readonly region: string;
}

/** The platform's client; only the named families are bundled. */
export interface OwnChat {
  /**
   * Returns the families' operations, which end when the function's time does. Never throws; requests throw
   * as ChatRequest documents.
   */
  using<const Families extends Readonly<Record<string, Family>>>(
    families: Families,
  ): ComposedChatClient<Families>;
}

export interface AppAccess {
  readonly appIds: readonly string[];
  /** @throws errors of reading the app's secret */
  open(appId: string, limits: WorkLimits): Promise<{ readonly app: OwnApp; readonly chat: OwnChat }>;
  secretOf(appId: string): SecretFieldsSource;
}

interface WorkLimits {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

interface AppAccessOptions {
  readonly appIds: readonly string[];
  readonly readSecret: ReadSecret;
  readonly secretPrefix: string;
  readonly baseUrlTemplate: string;
  readonly now: () => number;
  readonly ages?: Parameters<typeof createAppCredentials>[0]["ages"];
  readonly transport?: TransportOptions;
}

export function createAppAccess(options: AppAccessOptions): AppAccess {
  const { appIds, baseUrlTemplate, transport = {}, ages = usualSecretAges } = options;
  const secretOptions = { ...options, ages };
  const credentialsOf = lazyByKey((appId: string) => createAppCredentials({ ...secretOptions, appId }));
  const secretOf = lazyByKey((appId: string) => createAppSecret({ ...secretOptions, appId }));
  const connect = connectApps(credentialsOf, baseUrlTemplate, transport);
  return {
    appIds,
    open: async (appId, limits) => {
      const { region } = await credentialsOf(appId).get(limits.deadlineMs);
      const connection = await connect(appId, region);
      const guard = endingWith(limits);
      return {
        app: { appId, region },
        chat: { using: (families) => composeOn(connection, families, guard) },
      };
    },
    secretOf,
  };
}

function endingWith({ deadlineMs, signal }: WorkLimits): Guard {
  return (_request, options, send) => {
    const signals = [signal, options.signal].filter((one) => one !== undefined);
    return send({
      ...options,
      deadlineMs: Math.min(options.deadlineMs ?? Number.POSITIVE_INFINITY, deadlineMs),
      signal: AbortSignal.any(signals),
    });
  };
}
