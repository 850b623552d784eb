import { listApiKeys } from "../platform/store/api-keys.ts";
import { type App, findApp, listApps } from "../platform/store/apps.ts";
import type { World } from "../stack/world.ts";
import { WrongInputError } from "./read-input.ts";

/** What the platform answered. */
export interface PlatformAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Where and with what an app's Chat or Calls API is asked; undefined when there is no such app, or no key for it. */
export function appAccess(
  { platform }: Pick<World, "platform">,
  appId: string,
  service: "api" | "call" = "api",
): { base: string; apiKey: string } | undefined {
  const app = listApps(platform.services.db).find((one) => one.appId === appId);
  const key = listApiKeys({ db: platform.services.db, appId }).find(({ scope }) => scope === "fullAccess");
  if (app === undefined || key === undefined) return undefined;
  return { base: platform.appUrl(appId, app.region, service), apiKey: key.apiKey };
}

/** Asks an app's Chat API as its dashboard would. `body` is sent as JSON. Answers 404 itself when there is no such app. */
export async function askChatApi(
  world: Pick<World, "platform">,
  appId: string,
  { method, path, body }: { method: string; path: string; body?: unknown },
): Promise<PlatformAnswer> {
  const access = appAccess(world, appId);
  if (access === undefined) return { status: 404, body: { error: { message: noAccess(appId) } } };
  const response = await fetchPlatform(access.base + path, {
    method,
    headers: { apikey: access.apiKey, "content-type": "application/json", "user-agent": "local-console" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** Gives an app. @throws WrongInputError when there is none: it must not look like one that holds nothing */
export function appThatExists({ platform }: Pick<World, "platform">, appId: string): App {
  const app = findApp(platform.services.db, appId);
  if (app === undefined) throw new WrongInputError(`The platform has no app ${appId}.`, 404);
  return app;
}

/** Asks the platform. @throws WrongInputError that tells why there was no answer */
export async function fetchPlatform(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const told = cause instanceof Error ? cause.message : String(cause);
    // What follows may be a key.
    const path = new URL(url).pathname.split("/").slice(0, 4).join("/");
    throw new WrongInputError(
      `The platform gave no answer to ${init.method ?? "GET"} ${path}: ${told}. Is a fault set?`,
      502,
    );
  }
}

/** Says that an app cannot be asked. */
export function noAccess(appId: string): string {
  return `The platform has no app ${appId} with a key of scope fullAccess.`;
}
