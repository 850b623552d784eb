import type { AwsCaller } from "../../aws/aws-call.ts";
import { readManagementCredentials } from "../../aws/secrets/management-credentials.ts";
import { readSecretValue } from "../../aws/secrets/read-secret-value.ts";
import type { Table } from "../../aws/table.ts";
import type { Fetch } from "../../chat/lean-fetch.ts";
import { createManagementClient } from "../../chat/management/management-client.ts";
import type { Webhook } from "../../chat/types/webhooks.ts";
import type { CauseGroup } from "../../queue/cause-group.ts";
import type { DeployedFacts } from "./deployed-facts.ts";
import type { Remedies } from "./remedies.ts";
import type { Found } from "./run-checks.ts";

export interface DoctorServices {
  readonly callAws: AwsCaller;
  readonly fetch: Fetch;
  readonly secretPrefix: string;
  readonly queueUrls: {
    readonly events: string;
    readonly deadLetters: string;
    readonly quarantine: string;
  };
  readonly lanes: Table;
  readonly httpUrl: string;
  readonly chatBaseUrlTemplate: string;
  /** Undefined without management credentials. @throws AwsCallError */
  readonly webhookLists: () => ReturnType<typeof openWebhookLists>;
  /** Reads the first 500. Reading hides dead letters briefly: only for operators. */
  readonly groupDeadLetters?: () => Promise<readonly CauseGroup[]>;
  /** Validity of replaced values of an app's secret in milliseconds. */
  readonly previousMs: number;
  readonly recentLogs?: RecentLogs;
  readonly checkSchedule?: (appId: string) => Promise<readonly Found[]>;
  readonly remedies: Remedies;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export type AppNeeds = DeployedFacts["needs"][number] | undefined;

export function needsOf(facts: DeployedFacts | undefined, appId: string): AppNeeds {
  return facts?.needs.find(({ appIds }) => appIds.includes(appId));
}

export interface Failing {
  readonly what: string;
  /** The start of the search, in milliseconds since 1970. */
  readonly sinceMs: number;
  readonly count: number;
  readonly cause: string;
  /** Lanes where events may wait for a trigger: it still fails if one of them is parked. */
  readonly waitsIn?: ReadonlySet<string>;
}

/** Counts attempts at an event that ended without a result. */
export interface Crash {
  readonly deliveryKey: unknown;
  readonly deaths: number;
}

/** Only an operator may read the functions' logs. */
export interface RecentLogs {
  /** @returns undefined if too many failures hide what fails now */
  failing(appId: string): Promise<readonly Failing[] | undefined>;
  crashes(appId: string): Promise<ReadonlyMap<string, Crash>>;
  /** Returns what ran when a process last ended with this event; undefined if no line shows it. */
  runningTrigger(laneId: string, deliveryKey: string): Promise<string | undefined>;
  /**
   * Returns whether a canary, or an event that the platform delivered since then (milliseconds since 1970),
   * was handled. Samples and handed-over events prove nothing about the webhook.
   * @param untilMs of the end of its handling; default: now
   */
  hasHandled(appId: string, sinceMs: number, untilMs?: number): Promise<boolean>;
  /**
   * Returns whether the consumer wrote about the app since then, or about a delivery by the platform with one
   * of the keys.
   * @returns undefined if LOG_LEVEL hides it
   */
  hasArrived(appId: string, sinceMs: number, keys?: ReadonlySet<string>): Promise<boolean | undefined>;
  /**
   * Returns when the last message delivered until then was received, or an earlier one if there are many.
   * @returns undefined if there was none in the five days before
   */
  lastDelivered(appId: string, untilMs: number): Promise<number | undefined>;
  hasCounted(appId: string, metric: string, sinceMs: number, untilMs: number): Promise<boolean>;
}

interface WebhookListsOptions {
  readonly callAws: AwsCaller;
  readonly fetch: Fetch;
  /** Empty if it may not be read. */
  readonly managementSecretId: string;
  readonly baseUrl: string;
}

/**
 * Undefined without management credentials.
 * @throws AwsCallError, InvalidSecretError if they are incomplete
 */
export async function openWebhookLists({ callAws, fetch, managementSecretId, baseUrl }: WebhookListsOptions) {
  const credentials = await readManagementCredentials(managementSecretId, (secretId) =>
    readSecretValue(callAws, secretId, "AWSCURRENT"),
  );
  if (credentials === undefined) return undefined;
  const options = { credentials, baseUrl, fetch, retry: { maxTries: 1 }, timeoutMs: 5_000 };
  // Each call gets its own client: one that got a 429 delays its next request.
  const client = () => createManagementClient(options);
  const legacy = () => createManagementClient({ ...options, engine: "legacy" });
  return {
    current: (appId: string) => Array.fromAsync(client().webhooks.list(appId)),
    legacy: async (appId: string, current: readonly Webhook[]) =>
      onlyLegacy(await Array.fromAsync(legacy().webhooks.list(appId)), current),
    triggersOf: (appId: string, webhookId: string) =>
      Array.fromAsync(client().webhooks.listTriggers(appId, webhookId), ({ id }) => id),
  };
}

/** An engine may list the other's (docs/internals/platform/unknown.md#management-import-and-campaigns). */
export function onlyLegacy<One extends Webhook>(legacy: readonly One[], current: readonly One[]): One[] {
  return legacy.filter(
    (webhook) => !current.some(({ id, createdAt }) => id === webhook.id && createdAt === webhook.createdAt),
  );
}

export function managementSecretIdOf(secretPrefix: string): string {
  return `${secretPrefix}/management`;
}
