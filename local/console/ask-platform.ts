import { type App, listApiKeys, listApps } from "../platform/store/apps.ts";
import type { LocalStack } from "../stack/local-stack.ts";
import { must, WrongInputError } from "./read-input.ts";

type WithPlatform = Pick<LocalStack, "platform">;

/** Lists apps with keys. Only this reads the platform's tables: the console needs keys for the API. */
export function appsOf({ platform }: WithPlatform): readonly App[] {
  return listApps(platform.services.db);
}

export function appOf(localStack: WithPlatform, appId: string): App {
  const app = appsOf(localStack).find((one) => one.appId === appId);
  return must(app, `The platform has no app ${appId}.`);
}

export function keysOf({ platform }: WithPlatform, appId: string) {
  return listApiKeys({ db: platform.services.db, appId });
}

export function accessTo(
  localStack: WithPlatform,
  appId: string,
  { service = "api", scope = "fullAccess" }: { service?: "api" | "call"; scope?: string | undefined } = {},
) {
  const app = appsOf(localStack).find((one) => one.appId === appId);
  const key = keysOf(localStack, appId).find((one) => one.scope === scope);
  if (app === undefined || key === undefined)
    throw new WrongInputError(`The platform has no app ${appId} with a key of scope ${scope}.`, 404);
  return { base: localStack.platform.appUrl(appId, app.region, service), apiKey: key.apiKey };
}

export async function fetchPlatform(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    // The rest of the path may be a key.
    const path = new URL(url).pathname.split("/").slice(0, 4).join("/");
    throw new WrongInputError(`The platform did not answer ${init.method ?? "GET"} ${path}: ${reason}.`, 502);
  }
}
