import { defaultSeed } from "./default-seed.ts";
import { isJsonObject } from "./json.ts";
import { currentTriggers, legacyTriggers } from "./webhooks/trigger-table.ts";

/** Gives an app of a seed the fields that it lacks. @param webhooks how many it has already */
export function fillApp(app: unknown, webhooks = 0): unknown {
  if (!isJsonObject(app)) return app;
  const { appId = defaultSeed.apps[0].appId, region = "us" } = app;
  return {
    appId,
    region,
    name: appId,
    ...app,
    ...fillEach(app, "users", ({ uid }) => ({ name: uid })),
    ...fillEach(app, "groups", ({ guid }) => ({ name: guid })),
    ...fillEach(app, "bots", ({ uid }) => ({ name: uid })),
    ...fillEach(app, "webhooks", ({ generation }, place) => ({
      id: `webhook-${webhooks + place + 1}`,
      triggers: Object.keys(generation === 1 ? legacyTriggers : currentTriggers),
    })),
  };
}

function fillEach(
  app: Readonly<Record<string, unknown>>,
  field: string,
  defaultsOf: (item: Readonly<Record<string, unknown>>, place: number) => object,
): Readonly<Record<string, unknown>> {
  const items = app[field];
  if (!Array.isArray(items)) return {};
  return {
    [field]: items.map((item: unknown, place) =>
      isJsonObject(item) ? { ...defaultsOf(item, place), ...item } : item,
    ),
  };
}
