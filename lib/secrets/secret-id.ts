/** How long a secret read from Secrets Manager is used: 5 minutes. */
export const secretCacheTtlMs = 5 * 60_000;

/** The name of an app's secret, whose value is `{appId, region, apiKey, webhookUsername, webhookPassword}`. */
export function secretIdOf(secretPrefix: string, appId: string): string {
  return `${secretPrefix}/${appId}`;
}
