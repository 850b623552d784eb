import { randomBytes } from "node:crypto";
import { newApiKeyValue } from "../chat/api-keys.ts";
import { ensureField } from "../errors/platform-error.ts";
import { optionalFlag, optionalText, requiredChoice, requiredText } from "../http/fields.ts";
import { acknowledge, replyPage, searched } from "../http/reply.ts";
import { type ManagementRequest, managementFamily } from "../http/route.ts";
import { defined } from "../json.ts";
import { nowSeconds, type Services } from "../services/services.ts";
import { listApiKeys, putApiKey } from "../store/api-keys.ts";
import { type App, listApps } from "../store/apps.ts";
import { getDocument, putDocument } from "../store/documents.ts";

const route = managementFamily("docs/internals/platform/management.md#apps");

/** Declares the management operations on apps (the others are still to come). */
export const managementAppRoutes = [
  route(
    "create-app",
    "POST /apps",
    (request) => {
      const name = requiredText(request.body, "name");
      const region = requiredChoice(request.body, "region", ["us", "eu", "in"]);
      const app = { appId: randomBytes(8).toString("hex"), region, name, createdAt: nowSeconds(request) };
      createApp(request, app);
      return show(request, app);
    },
    [],
    { input: { body: { version: "string", skipSampleData: "boolean" } } },
  ),
  route("list-apps", "GET /apps", list, [
    "`data` is an array (the example shows one object).",
    "perPage is 25 by default.",
    "`accessKey` is the first key of scope fullAccess.",
  ]),
];

function list(request: ManagementRequest) {
  const apps = searched(request.query, listApps(request.db), ({ appId, name }) => [appId, name]);
  return replyPage(request.query, apps, {
    show: (app) => ({ ...show(request, app), accessKey: accessKeyOf(request, app) }),
    perPage: 25,
  });
}

// Printed in the list alone; which of the keys it is, is assumed.
function accessKeyOf({ db }: ManagementRequest, { appId }: App) {
  return listApiKeys({ db, appId }).find(({ scope }) => scope === "fullAccess")?.apiKey;
}

function show({ db }: ManagementRequest, app: App) {
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
 * Stores a new app with one key of each scope and says so; families that listen add what every app starts
 * with. Keys are generated unless given.
 * @see docs/internals/platform/management.md#apps
 */
export function createApp(
  services: Services,
  app: App,
  keys: { fullAccess?: string; authOnly?: string } = {},
): void {
  const { db } = services;
  const data = { db, appId: app.appId };
  db.put("apps", app);
  const base = { createdAt: app.createdAt, createdBy: "app_system" };
  const fullAccess = keys.fullAccess ?? newApiKeyValue();
  const authOnly = keys.authOnly ?? newApiKeyValue();
  putApiKey(data, { ...base, apiKey: fullAccess, name: "Rest API Key", scope: "fullAccess" });
  putApiKey(data, { ...base, apiKey: authOnly, name: "Auth Key", scope: "authOnly" });
  services.announce(app, "appCreated", {});
  services.redactor.refresh();
}

/** Declares what happens to apps beyond their creation, and the creation of customers. */
export const appLifecycleRoutes = [
  route(
    "delete-app",
    "DELETE /apps/{appId}",
    (request) => {
      const stored = getDocument(request, deletionKind, deletionKind);
      const scheduledToDeleteAt = stored?.scheduledToDeleteAt ?? nowSeconds(request) + deletionDelaySeconds;
      putDocument(request, deletionKind, deletionKind, { scheduledToDeleteAt });
      return { success: true, scheduledToDeleteAt };
    },
    [
      "The deletion is scheduled 30 days ahead; asking again answers the same time.",
      "The app goes on working: the emulation never carries the deletion out.",
    ],
  ),
  route(
    "fetch-multi-tenant-usage",
    "POST /apps/{appId}/usage",
    (request) => {
      const isPrevious = optionalFlag(request.body, "usePreviousBillingCycle") === true;
      return acknowledge(
        `Your usage request has been accepted and is being processed for the ${isPrevious ? "previous" : "current"} billing cycle of ${request.appId}. You will receive an e-mail.`,
      );
    },
    ["No e-mail is sent."],
  ),
  route(
    "add-tenant",
    "POST /tenants",
    addTenant,
    [
      "User name and password are the management key and secret: no page says which credentials it takes.",
      "An e-mail address that is taken is refused with ERR_BAD_REQUEST.",
      "The password is not stored.",
    ],
    {
      authentication: "basic",
      input: { body: { role: "string", industry: "string", technology: "string" } },
    },
  ),
];

function addTenant(request: ManagementRequest) {
  const name = requiredText(request.body, "name");
  const email = requiredText(request.body, "email");
  requiredText(request.body, "password");
  const appName = requiredText(request.body, "appName");
  const contactNumber = optionalText(request.body, "contactNumber");
  const region = requiredChoice(request.body, "appRegion", ["us", "eu", "in"]);
  ensureField(
    getDocument(request, tenantKind, email) === undefined,
    "email",
    "The email has already been taken.",
  );
  const createdAt = nowSeconds(request);
  const app = { appId: randomBytes(8).toString("hex"), region, name: appName, createdAt };
  createApp(request, app);
  putDocument(request, tenantKind, email, { name, email, createdAt, appId: app.appId });
  const keys = listApiKeys({ db: request.db, appId: app.appId });
  const keyOf = (scope: string) => keys.find((key) => key.scope === scope)?.apiKey;
  return {
    name,
    email,
    createdAt,
    ...defined({ contactNumber }),
    app: {
      name: appName,
      appId: app.appId,
      region,
      authKey: keyOf("authOnly"),
      apiKey: keyOf("fullAccess"),
      createdAt,
      plan: "Build",
    },
  };
}

// 30 days: the delay is not documented.
const deletionDelaySeconds = 30 * 86_400;
const deletionKind = "app-deletion";
const tenantKind = "tenant";
