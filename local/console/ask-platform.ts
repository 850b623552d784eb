import { type App, findApp, listApiKeys, listApps } from "../platform/store/apps.ts";

import type { World } from "../stack/world.ts";
import { WrongInputError } from "./read-input.ts";

/**
 * Returns the address and credentials of an app's Chat or Calls API; undefined if the app or a key for it
 * does not exist.
 */
export function appAccess(
  { platform }: Pick<World, "platform">,
  appId: string,
  { service = "api", scope = "fullAccess" }: { service?: "api" | "call"; scope?: string | undefined } = {},
): { base: string; apiKey: string } | undefined {
  const app = listApps(platform.services.db).find((one) => one.appId === appId);
  const key = listApiKeys({ db: platform.services.db, appId }).find((one) => one.scope === scope);
  if (app === undefined || key === undefined) return undefined;
  return { base: platform.appUrl(appId, app.region, service), apiKey: key.apiKey };
}

/** @throws WrongInputError if the app does not exist, so that it is not confused with an empty app */
export function appThatExists({ platform }: Pick<World, "platform">, appId: string): App {
  const app = findApp(platform.services.db, appId);
  if (app === undefined) throw new WrongInputError(`The platform has no app ${appId}.`, 404);
  return app;
}

/** @throws WrongInputError if there is no answer; the message says why */
export async function fetchPlatform(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const told = cause instanceof Error ? cause.message : String(cause);
    // The rest of the path may be a key.
    const path = new URL(url).pathname.split("/").slice(0, 4).join("/");
    throw new WrongInputError(`The platform did not answer ${init.method ?? "GET"} ${path}: ${told}.`, 502);
  }
}

export function noAccess(appId: string, scope = "fullAccess"): string {
  return `The platform has no app ${appId} with a key of scope ${scope}.`;
}
