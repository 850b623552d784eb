import type { MemoryPlatform } from "../../local/platform/create-memory-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";

interface World {
  readonly platform: Pick<LocalStack["platform"], "appUrl" | "managementUrl">;
  readonly app: Pick<LocalStack["app"], "appId" | "fullAccessKey">;
}

/** Calls the API of an app, as by `POST /users`. Returns the `data` of the answer. */
export function callApp(
  { platform, app }: World,
  call: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
) {
  return send(fetch, platform.appUrl(app.appId), call, { apikey: app.fullAccessKey, ...headers }, body);
}

/** Calls the API of an app of a platform in memory. */
export function callMemoryApp(platform: MemoryPlatform, call: string, body?: object, appId = "local-app") {
  return send(platform.fetch, platform.appUrl(appId), call, { apikey: platform.keys.fullAccessKey }, body);
}

/** Calls the Management API about an app. */
export function manageApp(
  { platform, app }: World,
  call: string,
  body?: object,
  engine: "current" | "legacy" = "current",
) {
  const version = engine === "current" && { "x-webhook-version": "2" };
  const headers = { ...defaultSeed.management, ...version };
  return send(fetch, `${platform.managementUrl}/apps/${app.appId}`, call, headers, body);
}

async function send(
  fetchIt: typeof fetch,
  url: string,
  call: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<{ readonly status: number; readonly data: unknown }> {
  const [method = "", path = ""] = call.split(" ");
  const response = await fetchIt(url + path, {
    method,
    headers: { ...headers, connection: "close", "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, data: Object(await response.json()).data };
}
