/** `httpUrl` is the HTTP API's, without a trailing slash. */
export function webhookUrlOf(httpUrl: string, appId: string): string {
  return `${httpUrl}/webhooks/${encodeURIComponent(appId)}`;
}
