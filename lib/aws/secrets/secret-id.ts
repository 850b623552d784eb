/** Returns the id of an app's secret: `{appId, region, apiKey}`, and the team's own fields. */
export function secretIdOf(secretPrefix: string, appId: string): string {
  return `${secretPrefix}/${appId}`;
}

/** Returns the id of the secret that authenticates the platform's requests: `isWebhookField`, and `appId`. */
export function webhookSecretIdOf(secretPrefix: string, appId: string): string {
  return `${secretIdOf(secretPrefix, appId)}/webhook`;
}
