/** Its value is `{appId, region, apiKey, webhookUsername, webhookPassword}`. */
export function secretIdOf(secretPrefix: string, appId: string): string {
  return `${secretPrefix}/${appId}`;
}
