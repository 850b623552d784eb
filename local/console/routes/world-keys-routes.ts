import type { Context, Hono } from "hono";
import { listApiKeys } from "../../platform/store/api-keys.ts";
import { listActiveAuthTokens } from "../../platform/store/auth-tokens.ts";
import { findUser } from "../../platform/store/users.ts";
import type { World } from "../../stack/world.ts";
import type { KeysAnswer, MaskedToken } from "../api/world-keys.ts";
import { appAccess, appThatExists, askChatApi, type PlatformAnswer } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";
import { idOfSecret, maskSecret } from "../mask.ts";
import { WrongInputError } from "../read-input.ts";

/**
 * API keys, the management key and auth tokens, masked and with an id; only `POST …/copy` returns a value.
 * Changes go through the platform's API.
 */
export function addWorldKeysRoutes(app: Hono, { world }: ConsoleContext): void {
  addKeys(app, world);
  addTokens(app, world);
}

function addKeys(app: Hono, world: World): void {
  const path = "/api/world/keys/:appId";
  const keyOf = (context: Context) =>
    listApiKeys({ db: world.platform.services.db, appId: context.req.param("appId") ?? "" }).find(
      ({ apiKey }) => idOfSecret(apiKey) === context.req.param("id"),
    )?.apiKey;
  app.get(path, (context) => {
    const { appId } = appThatExists(world, context.req.param("appId"));
    const own = appAccess(world, appId)?.apiKey;
    const answer: KeysAnswer = {
      keys: listApiKeys({ db: world.platform.services.db, appId }).map(
        ({ apiKey, name, scope, createdAt }) => ({
          id: idOfSecret(apiKey),
          masked: maskSecret(apiKey),
          name,
          scope,
          createdAt,
          isConsoles: apiKey === own,
        }),
      ),
      management: {
        key: maskSecret(world.management.key),
        secret: maskSecret(world.management.secret),
      },
    };
    return context.json(answer);
  });
  app.post(path, async (context) =>
    confirm(
      await askChatApi(world, context.req.param("appId"), {
        method: "POST",
        path: "/apikeys",
        body: await readBody(context),
      }),
    ),
  );
  for (const method of ["PUT", "DELETE"]) {
    app.on(method, `${path}/:id`, async (context) => {
      const apiKey = keyOf(context);
      if (apiKey === undefined) return unknown(context, "API key");
      const body = method === "PUT" ? { body: await readBody(context) } : {};
      return confirm(
        await askChatApi(world, context.req.param("appId"), { method, path: `/apikeys/${apiKey}`, ...body }),
      );
    });
  }
  app.post(`${path}/:id/copy`, (context) => give(context, keyOf(context), "API key"));
  app.post("/api/world/management/:which/copy", (context) => {
    const which = context.req.param("which");
    return give(
      context,
      which === "key" || which === "secret" ? world.management[which] : undefined,
      "value",
    );
  });
}

function addTokens(app: Hono, world: World): void {
  const path = "/api/world/tokens/:appId/:uid";
  const tokensOf = (context: Context) =>
    listActiveAuthTokens(
      { db: world.platform.services.db, appId: context.req.param("appId") ?? "" },
      (context.req.param("uid") ?? "").toLowerCase(),
    );
  const tokenOf = (context: Context) =>
    tokensOf(context).find(({ authToken }) => idOfSecret(authToken) === context.req.param("id"))?.authToken;
  const ask = async (context: Context, method: string, rest = "", body?: unknown) => {
    const uid = encodeURIComponent(context.req.param("uid") ?? "");
    const request = { method, path: `/users/${uid}/auth_tokens${rest}`, ...(body !== undefined && { body }) };
    return confirm(await askChatApi(world, context.req.param("appId") ?? "", request));
  };
  app.get(path, (context) => {
    const { appId, uid } = context.req.param();
    if (findUser({ db: world.platform.services.db, appId }, uid.toLowerCase()) === undefined) {
      throw new WrongInputError(`The app ${appId} has no user ${uid}.`, 404);
    }
    const tokens: MaskedToken[] = tokensOf(context).map(({ authToken, createdAt }) => ({
      id: idOfSecret(authToken),
      masked: maskSecret(authToken),
      createdAt,
    }));
    return context.json({ tokens });
  });
  app.post(path, (context) => ask(context, "POST", "", { force: true }));
  app.delete(path, (context) => ask(context, "DELETE"));
  app.delete(`${path}/:id`, (context) => {
    const token = tokenOf(context);
    return token === undefined ? unknown(context, "auth token") : ask(context, "DELETE", `/${token}`);
  });
  app.post(`${path}/:id/copy`, (context) => give(context, tokenOf(context), "auth token"));
}

/** Passes on a refusal; a success is answered without its content, which contains the secret. */
function confirm({ status, body }: PlatformAnswer): Response {
  return status === 200 ? Response.json({ success: true }) : Response.json(body, { status });
}

function give(context: Context, value: string | undefined, what: string): Response {
  if (value === undefined) return unknown(context, what);
  return context.json({ value }, 200, { "cache-control": "no-store" });
}

function unknown(context: Context, what: string): Response {
  return context.json(
    { error: { message: `There is no ${what} with this id. It may have been removed.` } },
    404,
  );
}

async function readBody(context: Context): Promise<unknown> {
  return await context.req.json().catch(() => ({}));
}
