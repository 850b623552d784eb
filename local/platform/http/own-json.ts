import type { Context } from "hono";
import { PlatformError, toErrorEnvelope } from "../errors/platform-error.ts";
import { isJsonObject, type JsonObject, readJson } from "../json.ts";
import type { Services } from "../services/services.ts";
import { type App, findApp } from "../store/apps.ts";

/** Answers 400 to a wrong body or setting, 404 to an unknown app, and the platform's own refusals. */
export function ownJson(
  handle: (context: Context) => unknown,
): (context: Context) => Response | Promise<Response> {
  return async (context) => {
    try {
      const result = await handle(context);
      return result === undefined
        ? context.json({ error: { code: "NOT_FOUND", message: "Not found." } }, 404)
        : Response.json(result);
    } catch (error) {
      if (error instanceof PlatformError)
        return Response.json(toErrorEnvelope(error), { status: error.status });
      if (error instanceof UnknownApp) {
        return context.json({ error: { code: "UNKNOWN_APP", message: error.message } }, 404);
      }
      if (error instanceof TypeError) {
        return context.json({ error: { code: "BAD_REQUEST", message: error.message } }, 400);
      }
      throw error;
    }
  };
}

/**
 * `{}` without a body.
 * @throws TypeError if it is not an object
 */
export async function readOwnBody(context: Context): Promise<JsonObject> {
  const text = await context.req.text();
  const body = text === "" ? {} : readJson(text);
  if (!isJsonObject(body)) throw new TypeError("The body must be a JSON object.");
  return body;
}

export function requireOwnApp(services: Services, context: Context): App {
  const appId = context.req.param("appId") ?? "";
  const app = findApp(services.db, appId);
  if (app === undefined) throw new UnknownApp(appId);
  return app;
}

class UnknownApp extends Error {
  constructor(appId: string) {
    super(`There is no app ${appId} on this platform.`);
    this.name = "UnknownApp";
  }
}
