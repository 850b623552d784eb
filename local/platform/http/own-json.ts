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
      return result === undefined ? refuse(404, "NOT_FOUND", "Not found.") : Response.json(result);
    } catch (error) {
      if (error instanceof PlatformError)
        return Response.json(toErrorEnvelope(error), { status: error.status });
      if (error instanceof UnknownApp) return refuse(404, "UNKNOWN_APP", error.message);
      if (error instanceof TypeError) return refuse(400, "BAD_REQUEST", error.message);
      throw error;
    }
  };
}

function refuse(status: number, code: string, message: string) {
  return Response.json({ error: { code, message } }, { status });
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
  if (app === undefined) throw new UnknownApp(`There is no app ${appId} on this platform.`);
  return app;
}

class UnknownApp extends Error {}
