import { randomBytes } from "node:crypto";
import { badRequest } from "../errors/platform-error.ts";
import { choice, optionalFlag, optionalText, requiredText } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import { type ManagementRequest, type ManagementRoute, managementFamily } from "../http/route.ts";
import { defined } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { listApiKeys } from "../store/api-keys.ts";
import { getDocument, putDocument } from "../store/documents.ts";
import { createApp } from "./apps.ts";

const route = managementFamily("docs/platform/management.md#apps");

/** Declares what happens to apps beyond their creation, and the creation of customers. */
export const appLifecycleRoutes: readonly ManagementRoute[] = [
  route("delete-app", "DELETE /apps/{appId}", scheduleDeletion, {
    assumptions: [
      "The deletion is scheduled 30 days ahead; asking again answers the same time.",
      "The app goes on working: the emulation never carries the deletion out.",
    ],
  }),
  route("fetch-multi-tenant-usage", "POST /apps/{appId}/usage", requestUsage, {
    assumptions: ["No e-mail is sent."],
  }),
  route("add-tenant", "POST /tenants", addTenant, {
    authentication: "basic",
    input: { body: { role: "string", industry: "string", technology: "string" } },
    assumptions: [
      "User name and password are the management key and secret: no page says which credentials it takes.",
      "An e-mail address that is taken is refused with ERR_BAD_REQUEST.",
      "The password is not stored.",
    ],
  }),
];

function scheduleDeletion(request: ManagementRequest): Reply {
  const stored = getDocument(request, deletionKind, deletionKind);
  const scheduledToDeleteAt = stored?.scheduledToDeleteAt ?? nowSeconds(request) + deletionDelaySeconds;
  putDocument(request, deletionKind, deletionKind, { scheduledToDeleteAt });
  return reply({ success: true, scheduledToDeleteAt });
}

function requestUsage(request: ManagementRequest): Reply {
  const { appId } = request;
  const isPrevious = optionalFlag(request.body, "usePreviousBillingCycle") === true;
  return acknowledge(
    `Your usage request has been accepted and is being processed for the ${isPrevious ? "previous" : "current"} billing cycle of ${appId}. You will receive an e-mail.`,
  );
}

function addTenant(request: ManagementRequest): Reply {
  const name = requiredText(request.body, "name");
  const email = requiredText(request.body, "email");
  requiredText(request.body, "password");
  const appName = requiredText(request.body, "appName");
  const contactNumber = optionalText(request.body, "contactNumber");
  const region = choice(request.body, "appRegion", ["us", "eu", "in"]);
  if (region === undefined) throw badRequest({ appRegion: "The appRegion field is required." });
  if (getDocument(request, tenantKind, email) !== undefined) {
    throw badRequest({ email: "The email has already been taken." });
  }
  const createdAt = nowSeconds(request);
  const app = { appId: randomBytes(8).toString("hex"), region, name: appName, createdAt };
  request.db.transaction(() => {
    createApp(request, app);
    putDocument(request, tenantKind, email, { name, email, createdAt, appId: app.appId });
  });
  request.redactor.refresh();
  const keys = listApiKeys({ db: request.db, appId: app.appId });
  const keyOf = (scope: string) => keys.find((key) => key.scope === scope)?.apiKey;
  return reply({
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
  });
}

// 30 days: the delay is not documented.
const deletionDelaySeconds = 30 * 86_400;
const deletionKind = "app-deletion";
const tenantKind = "tenant";
