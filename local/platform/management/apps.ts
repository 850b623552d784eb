import { randomBytes } from "node:crypto";
import { newApiKeyValue } from "../chat/api-keys.ts";
import { badRequest } from "../errors/platform-error.ts";
import { choice, requiredText } from "../http/fields.ts";
import { type Reply, reply, replyPage } from "../http/reply.ts";
import { type ManagementRequest, type ManagementRoute, managementFamily } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds, type Services } from "../services/services.ts";
import { listApiKeys, putApiKey } from "../store/api-keys.ts";
import { type App, insertApp, listApps } from "../store/apps.ts";

const route = managementFamily("docs/platform/management.md#apps");

/** Declares the management operations on apps (the others are still to come). */
export const managementAppRoutes: readonly ManagementRoute[] = [
  route("create-app", "POST /apps", create, {
    input: { body: { version: "string", skipSampleData: "boolean" } },
  }),
  route("list-apps", "GET /apps", list, {
    assumptions: [
      "`data` is an array (the example shows one object).",
      "perPage is 25 by default.",
      "`accessKey` is the first key of scope fullAccess.",
    ],
  }),
];

function create(request: ManagementRequest): Reply {
  const name = requiredText(request.body, "name");
  const region = choice(request.body, "region", ["us", "eu", "in"]);
  if (region === undefined) throw badRequest({ region: "The region field is required." });
  const app = { appId: randomBytes(8).toString("hex"), region, name, createdAt: nowSeconds(request) };
  createApp(request, app);
  request.redactor.refresh();
  return reply(show(request, app));
}

function list(request: ManagementRequest): Reply {
  const searchKey = request.query.text("searchKey")?.toLowerCase() ?? "";
  const apps = listApps(request.db).filter((app) =>
    [app.appId, app.name].some((value) => value.toLowerCase().includes(searchKey)),
  );
  return replyPage(request.query, apps, {
    show: (app) => ({ ...show(request, app), accessKey: accessKeyOf(request, app) }),
    perPage: 25,
  });
}

// Printed in the list alone; which of the keys it is, is assumed.
function accessKeyOf({ db }: ManagementRequest, { appId }: App): string | undefined {
  return listApiKeys({ db, appId }).find(({ scope }) => scope === "fullAccess")?.apiKey;
}

function show({ db }: ManagementRequest, app: App): JsonObject {
  const keys = listApiKeys({ db, appId: app.appId });
  return {
    id: app.appId,
    name: app.name,
    plan: "trial",
    trialEndsAt: app.createdAt + trialSeconds,
    state: "active",
    owner: 1,
    region: app.region,
    createdAt: app.createdAt,
    appOwner: { id: "1", name: "Local Owner", email: "owner@example.com" },
    appRegion: { id: app.region, name: regionNames[app.region] ?? app.region, description: "" },
    apiKeys: Object.fromEntries(
      keys.map(({ apiKey, name, scope, createdBy }) => [apiKey, { apiKey, name, scope, createdBy }]),
    ),
  };
}

// The example's trial ends 30 days after its creation: 30 × 86,400 s.
const trialSeconds = 30 * 86_400;
const regionNames: Record<string, string> = { us: "USA", eu: "Europe", in: "India" };

/**
 * Stores a new app with one key of each scope and says so; families that listen add what every app starts with. Keys
 * are generated unless given.
 * @see docs/platform/management.md#apps
 */
export function createApp(
  services: Pick<Services, "db" | "announce">,
  app: App,
  keys: { fullAccess?: string; authOnly?: string } = {},
): void {
  const { db } = services;
  const data = { db, appId: app.appId };
  db.transaction(() => {
    insertApp(db, app);
    const base = { createdAt: app.createdAt, createdBy: "app_system" };
    const fullAccess = keys.fullAccess ?? newApiKeyValue();
    const authOnly = keys.authOnly ?? newApiKeyValue();
    putApiKey(data, { ...base, apiKey: fullAccess, name: "Rest API Key", scope: "fullAccess" });
    putApiKey(data, { ...base, apiKey: authOnly, name: "Auth Key", scope: "authOnly" });
    services.announce(app, "appCreated", {});
  });
}
