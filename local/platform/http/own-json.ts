import type { Context, Hono } from "hono";
import { PlatformError, toErrorEnvelope } from "../errors/platform-error.ts";
import { isJsonObject, type JsonObject, maxJsonLevels, readJson } from "../json.ts";
import { type AppServices, type Services, servicesOf } from "../services/services.ts";
import { findApp } from "../store/apps.ts";

type Own = (context: Context) => unknown;

/**
 * Adds handlers below `/_platform`, by method and path. Answers 400 to wrong input, 404 if nothing was found,
 * and the platform's refusals.
 */
export function addOwn(app: Hono, handlers: Readonly<Record<string, Own>>): void {
  for (const [line, handle] of Object.entries(handlers)) {
    const [method = "", path = ""] = line.split(" ");
    app.on(method, `/_platform${path}`, async (context) => {
      try {
        const result = await handle(context);
        if (result instanceof Response) return result;
        return result === undefined ? refuse(404, "NOT_FOUND", "Not found.") : Response.json(result);
      } catch (error) {
        if (error instanceof TypeError) return refuse(400, "BAD_REQUEST", error.message);
        if (!(error instanceof PlatformError)) throw error;
        return Response.json(toErrorEnvelope(error), { status: error.status });
      }
    });
  }
}

export function addOwnOfApp(
  app: Hono,
  services: Services,
  handlers: Readonly<Record<string, (at: AppServices, context: Context) => unknown>>,
): void {
  for (const [line, handle] of Object.entries(handlers)) {
    addOwn(app, {
      [line.replace(" ", " /apps/:appId")](context) {
        const appId = context.req.param("appId") ?? "";
        const known = findApp(services.db, appId);
        if (known !== undefined) return handle(servicesOf(services, known), context);
        return refuse(404, "UNKNOWN_APP", `There is no app ${appId} on this platform.`);
      },
    });
  }
}

function refuse(status: number, code: string, message: string) {
  return Response.json({ error: { code, message } }, { status });
}

/** Returns `{}` without a body. @throws TypeError if it is not an object */
export async function readOwnBody(context: Context): Promise<JsonObject> {
  const text = await context.req.text();
  const body = text === "" ? {} : readJson(text);
  if (!isJsonObject(body))
    throw new TypeError(`The body must be a JSON object of at most ${maxJsonLevels} levels.`);
  return body;
}
