/** `httpUrl` is the HTTP API's, without a trailing slash. */
export function webhookUrlOf(httpUrl: string, appId: string): string {
  return `${httpUrl}/webhooks/${encodeURIComponent(appId)}`;
}

/** Whether both lead to the same receiver of the same app: a query and a trailing slash do not matter. */
export function isSameReceiver(one: string, other: string): boolean {
  const [first, second] = [one, other].map((url) => {
    const parsed = URL.parse(url);
    return parsed && parsed.origin + parsed.pathname.replace(/\/$/, "");
  });
  return first !== null && first === second;
}
