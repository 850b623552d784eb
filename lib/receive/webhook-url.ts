/** Gives the address that an app's webhook has on a deployment; `httpUrl` is the HTTP API's, without a slash at its end. */
export function webhookUrlOf(httpUrl: string, appId: string): string {
  return `${httpUrl}/webhooks/${encodeURIComponent(appId)}`;
}
