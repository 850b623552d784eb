import { randomBytes } from "node:crypto";
import { badRequest } from "../errors/failures.ts";
import { choice, requiredText } from "../http/fields.ts";
import { pageMeta, pageOf, readPage } from "../http/pagination.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { ManagementRequest, ManagementRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { listApiKeys } from "../store/api-keys.ts";
import { type App, listApps } from "../store/apps.ts";
import { createApp } from "./create-app.ts";

const base = { fidelity: "documented", source: "docs/platform/management.md#apps" } as const;

/** Declares the management operations on apps (the others are still to come). */
export const managementAppRoutes: readonly ManagementRoute[] = [
  {
    ...base,
    operationId: "create-app",
    input: { body: { version: "string", skipSampleData: "boolean" } },
    method: "POST",
    path: "/apps",
    handler: create,
  },
  {
    ...base,
    operationId: "list-apps",
    method: "GET",
    path: "/apps",
    assumptions: [
      "`data` is an array (the example shows one object).",
      "perPage is 25 by default.",
      "`accessKey` is the first key of scope fullAccess.",
    ],
    handler: list,
  },
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
  const page = readPage(request.query, 25);
  const shown = pageOf(apps, page);
  return reply(
    shown.map((app) => ({ ...show(request, app), accessKey: accessKeyOf(request, app) })),
    { meta: pageMeta(page, apps.length, shown.length) },
  );
}

// Printed in the list alone; which of the keys it is, is assumed.
function accessKeyOf(request: ManagementRequest, { appId }: App): string | undefined {
  return listApiKeys(request.db, appId).find(({ scope }) => scope === "fullAccess")?.apiKey;
}

function show(request: ManagementRequest, app: App): JsonObject {
  const keys = listApiKeys(request.db, app.appId);
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
