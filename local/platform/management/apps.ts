import { randomBytes } from "node:crypto";
import { newApiKeyValue } from "../chat/api-keys.ts";
import { ensure, ensureField } from "../errors/platform-error.ts";
import { choice, optionalText, requiredChoice, requiredText } from "../http/fields.ts";
import { acknowledge, type ManagementRequest, managementFamily, replyPage, searched } from "../http/route.ts";
import { defined, omit } from "../json.ts";
import { nowSeconds, type Services } from "../services/services.ts";
import { type App, listApiKeys, listApps, putApiKey } from "../store/apps.ts";
import { getDocument, putDocument } from "../store/database.ts";

export const managementAppRoutes = managementFamily({
  "create-app"(request) {
    const name = requiredText(request.body, "name", 100);
    choice(request.body, "version", ["3", "v3"]);
    const region = requiredChoice(request.body, "region", ["us", "eu", "in"]);
    return show(request, addApp(request, name, region));
  },
  "list-apps"(request) {
    const apps = searched(request.query, listApps(request.db), ({ appId, name }) => [appId, name]);
    return replyPage(request.query, apps, {
      show: (app) => ({ ...show(request, app), accessKey: keyOf(request, app, "fullAccess") }),
      perPage: 25,
    });
  },
  "delete-app"(request) {
    ensure(request.switches.plan !== "free", "ERR_APP_DELETION", "Only apps of a paid plan can be deleted.");
    const stored = getDocument(request, deletionKind, deletionKind);
    const scheduledToDeleteAt = stored?.scheduledToDeleteAt ?? nowSeconds(request) + deletionDelaySeconds;
    putDocument(request, deletionKind, deletionKind, { scheduledToDeleteAt });
    return { success: true, scheduledToDeleteAt };
  },
  "fetch-multi-tenant-usage"(request) {
    const isPrevious = request.body.usePreviousBillingCycle === true;
    return acknowledge(
      `Your usage request has been accepted and is being processed for the ${isPrevious ? "previous" : "current"} billing cycle of ${request.appId}. You will receive an e-mail.`,
    );
  },
  "add-tenant": {
    authentication: "basic",
    handler(request) {
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
      const app = addApp(request, appName, region);
      const { createdAt } = app;
      putDocument(request, tenantKind, email, { name, email, createdAt, appId: app.appId });
      return {
        name,
        email,
        createdAt,
        ...defined({ contactNumber }),
        app: {
          name: appName,
          appId: app.appId,
          region,
          authKey: keyOf(request, app, "authOnly"),
          apiKey: keyOf(request, app, "fullAccess"),
          createdAt,
          plan: "Build",
        },
      };
    },
  },
});

function addApp(request: ManagementRequest, name: string, region: string) {
  const { maxApps } = request.switches;
  ensure(
    listApps(request.db).length < maxApps,
    "ERR_APP_CREATION_FAILED_MAX_LIMIT",
    `The limit of ${maxApps} apps is reached.`,
  );
  const app = { appId: randomBytes(8).toString("hex"), region, name, createdAt: nowSeconds(request) };
  createApp(request, app);
  return app;
}

// The choice among several keys is assumed.
function keyOf({ db }: ManagementRequest, { appId }: App, scope: string) {
  return listApiKeys({ db, appId }).find((key) => key.scope === scope)?.apiKey;
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
    appOwner: { id: "1", name: "Local Owner", email: ownerEmail },
    appRegion: { id: app.region, name: regionNames[app.region] ?? app.region, description: "" },
    apiKeys: Object.fromEntries(keys.map((key) => [key.apiKey, omit(key, "createdAt")])),
  };
}

export const ownerEmail = "owner@example.com";
const trialSeconds = 30 * 86_400;
const regionNames: Record<string, string> = { us: "USA", eu: "Europe", in: "India" };

/** Creates a key of each scope. Listeners add the initial contents. */
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

// The delay is not documented.
const deletionDelaySeconds = 30 * 86_400;
const deletionKind = "app-deletion";
const tenantKind = "tenant";
