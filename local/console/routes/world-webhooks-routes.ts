import type { Hono } from "hono";
import { tallyDeliveries } from "../../platform/store/deliveries.ts";
import { activeEngine, listTriggerIds, listWebhooks, type Webhook } from "../../platform/store/webhooks.ts";

import { currentTriggers, legacyTriggers } from "../../platform/webhooks/trigger-table.ts";
import type { World } from "../../stack/world.ts";
import type { ShownWebhook, WebhooksAnswer } from "../api/world-webhooks.ts";
import { appThatExists } from "../ask-platform.ts";
import type { ConsoleContext } from "../console-context.ts";
import { sortTriggers } from "../trigger-families.ts";

const families = { current: sortTriggers(currentTriggers), legacy: sortTriggers(legacyTriggers) };

/**
 * `GET /api/world/webhooks/{appId}`, with more details than the Management API, and `POST
 * /api/world/reconnect`. Changes go through the Management API.
 */
export function addWorldWebhooksRoutes(app: Hono, { world }: ConsoleContext): void {
  app.get("/api/world/webhooks/:appId", (context) => {
    const { appId } = appThatExists(world, context.req.param("appId"));
    const { db } = world.platform.services;
    const stored = [...listWebhooks({ db, appId }, 2), ...listWebhooks({ db, appId }, 1)];
    const tally = tallyDeliveries({ db, appId });
    const engine = activeEngine({ db, appId }) === 1 ? "legacy" : "current";
    const webhooks = stored.map((webhook): ShownWebhook => {
      const { id, generation, name, url, useBasicAuth, username, password, enabled, retryOnFailure } =
        webhook;
      const count = (state: string) =>
        tally
          .filter((one) => one.generation === generation && one.webhookId === id && one.state === state)
          .reduce((sum, one) => sum + one.count, 0);
      return {
        engine: generation === 1 ? "legacy" : "current",
        id,
        name,
        webhookURL: url,
        useBasicAuth,
        username,
        hasPassword: password !== undefined,
        enabled,
        retryOnFailure,
        triggers: listTriggerIds({ db, appId }, generation, id),
        deliveries: { delivered: count("delivered"), pending: count("pending"), lost: count("lost") },
      };
    });
    const answer: WebhooksAnswer = {
      engine,
      functions: appId === world.app.appId ? judge(world, stored, engine) : undefined,
      webhooks,
      families,
    };
    return context.json(answer);
  });
  app.post("/api/world/reconnect", async (context) => {
    await world.reconnect();
    return context.json({ success: true });
  });
}

const functionsWebhook = "functions";

function judge(
  { webhook: needed }: World,
  stored: readonly Webhook[],
  engine: "current" | "legacy",
): WebhooksAnswer["functions"] {
  const found = stored.find(({ generation, id }) => generation === 2 && id === functionsWebhook);
  const problems = [
    ...(engine === "legacy" ? ["The legacy engine delivers, but the functions need the current one."] : []),
    ...(found === undefined ? ["The webhook does not exist."] : []),
    ...(found?.enabled === false ? ["The webhook is disabled."] : []),
    ...(found !== undefined && found.url !== needed.url ? ["The webhook has another address."] : []),
    ...(found !== undefined &&
    !(found.useBasicAuth && found.username === needed.username && found.password === needed.password)
      ? ["The webhook has other credentials than the functions."]
      : []),
  ];
  return { id: functionsWebhook, problems };
}
