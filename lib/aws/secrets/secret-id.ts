/** The name of an app's secret, whose value is `{appId, region, apiKey, webhookUsername, webhookPassword}`. */
export function secretIdOf(secretPrefix: string, appId: string): string {
  return `${secretPrefix}/${appId}`;
}
