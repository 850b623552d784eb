const systemFields =
  /^(appId|region|apiKey|webhookSecret|webhookSignature|rotating|takingBack|agent(Username|Password|Key)|replaced(ApiKey|WebhookPassword)(Until)?|(webhook|legacy|bot|notification|extension|moderation)(Username|Password))$/;

/**
 * Returns whether a field of an app's secret is the system's own (docs/deploy.md#the-apps-secrets): triggers,
 * flows and functions cannot read, send or sign with it.
 */
export function isSystemField(name: string): boolean {
  return systemFields.test(name);
}

/** Returns whether a field belongs in an app's webhook secret (docs/deploy.md#the-apps-secrets). */
export function isWebhookField(name: string): boolean {
  return isSystemField(name) && !/^(appId|region|apiKey|rotating|takingBack|replacedApiKey|agent)/.test(name);
}
