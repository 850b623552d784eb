import { randomUUID } from "node:crypto";
import { textsOf } from "../http/fields.ts";
import type { AppRequest } from "../http/route.ts";
import { known } from "../http/shape.ts";
import { type JsonObject, objectOf, objectsOf, omit, pick } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import {
  campaignFamily,
  changeObject,
  deleteObject,
  filterObjects,
  listReply,
  putObject,
  refuse,
  requireObject,
  storedFamily,
  validText,
} from "./campaign-route.ts";
import { dispatch } from "./dispatch.ts";

export const campaignRoutes = [
  ...storedFamily("CampaignsController", "campaign", { fields: ["status"], show, check: requireDraft }),
  ...campaignFamily({
    CampaignsController_create(request) {
      const given = known(request.body, "CampaignsController_create");
      validText(given, "name");
      if (Number(given.templateVersion) < 1) {
        throw refuse("ERR_VALIDATION", "The templateVersion must be a number from 1.");
      }
      requireObject(request, "template", validText(given, "templateId"));
      const id = randomUUID();
      const stored = putObject(request, "campaign", {
        ...given,
        id,
        campaignId: id,
        status: "draft",
        totalTargets: 0,
        sentCount: 0,
        failedCount: 0,
        recipients: [],
      });
      return show(stored);
    },
    CampaignsController_delete: (request) => deleteObject(request, "campaign", requireDraft(request)),
    CampaignsController_addRecipients(request) {
      const stored = requireDraft(request);
      const userIds = readUids(request, "userIds");
      const { userVariables } = request.body;
      const known = new Set(stored.recipients.map(({ id }) => id));
      const variables = objectOf(userVariables);
      const at = nowSeconds(request);
      const added = [...new Set(userIds)]
        .filter((id) => !known.has(id))
        .map((id) => ({
          id,
          userId: id,
          status: "pending",
          variables: variables[id] ?? {},
          createdAt: at,
          updatedAt: at,
        }));
      const all = [...stored.recipients, ...added];
      change(request, { recipients: all, totalTargets: all.length });
      return { added: added.length, total: all.length };
    },
    CampaignsController_getRecipients(request) {
      const { recipients } = campaign(request);
      return listReply(request, filterObjects(request, recipients, ["status"]), "updatedAt");
    },
    CampaignsController_getRecipientSummary(request) {
      const { recipients } = campaign(request);
      const count = (status: string) => recipients.filter((item) => item.status === status).length;
      const counts = recipientStates.map((status) => [status, count(status)]);
      return { total: recipients.length, ...Object.fromEntries(counts) };
    },
    CampaignsController_getUploadUrl(request) {
      const s3Key = `${request.appId}/${requireDraft(request).id}/${randomUUID()}.csv`;
      return { uploadUrl: `https://uploads.example.invalid/${s3Key}`, s3Key };
    },
    CampaignsController_importCsv(request) {
      requireDraft(request);
      const importStatus = { s3Key: validText(request.body, "s3Key"), status: "completed", imported: 0 };
      change(request, { importStatus });
      return importStatus;
    },
    CampaignsController_getImportStatus(request) {
      const { importStatus } = campaign(request);
      return importStatus ?? requireObject(request, "campaign", `${request.param("id")}/import`);
    },
    CampaignsController_send(request) {
      const stored = campaign(request);
      if (stored.status !== "draft" && stored.status !== "scheduled") {
        throw refuse("ERR_VALIDATION", `A campaign of status ${String(stored.status)} cannot be sent.`);
      }
      const { recipients } = stored;
      if (recipients.length === 0) throw refuse("ERR_VALIDATION", "The campaign has no recipients.");
      const at = nowSeconds(request);
      const template = requireObject(request, "template", String(stored.templateId));
      const status = template.status === "archived" ? "failed" : "completed";
      const counts =
        status === "failed"
          ? { failedCount: recipients.length }
          : { sentCount: recipients.length, failedCount: 0 };
      const defaults = objectOf(stored.variables);
      if (status === "completed") {
        dispatch(request, {
          template,
          templateVersion: stored.templateVersion,
          receivers: recipients.map(({ id }) => id),
          sendMode: "batch",
          campaignId: request.param("id"),
          variables: Object.fromEntries(
            recipients.map(({ id, variables }) => [String(id), { ...defaults, ...objectOf(variables) }]),
          ),
        });
      }
      const sent = change(request, {
        status,
        sentAt: at,
        completedAt: at,
        ...counts,
        recipients: recipients.map((recipient) => ({ ...recipient, status, updatedAt: at })),
      });
      request.emit(status === "failed" ? "after_campaign_failed" : "after_campaign_completed", {
        ...pick(sent, ...eventFields),
        appId: request.appId,
      });
      return show(sent);
    },
    CampaignsController_schedule(request) {
      requireDraft(request);
      const { scheduledAt } = request.body;
      if (Number(scheduledAt) <= nowSeconds(request)) {
        throw refuse("ERR_VALIDATION", "The scheduledAt must be a future time in seconds.");
      }
      return show(change(request, { status: "scheduled", scheduledAt }));
    },
    CampaignsController_getSequenceMetrics: (request) => ({ campaignId: campaign(request).id, steps: [] }),
    CampaignsController_cancel(request) {
      if (campaign(request).status !== "scheduled") {
        throw refuse("ERR_VALIDATION", "Only a scheduled campaign can be cancelled.");
      }
      return show(change(request, { status: "cancelled" }));
    },
    NotificationSendController_send(request) {
      const template = requireObject(request, "template", validText(request.body, "templateId"));
      if (template.status !== "approved") throw refuse("ERR_VALIDATION", "The template is not approved.");
      const receivers = readUids(request, "receivers");
      const { variables, tag } = request.body;
      const channels = objectsOf(template.channels).map(({ channelType }) => channelType);
      // Uses a batch above 10 receivers (docs/internals/platform/campaigns.md#single-notifications).
      const mode = receivers.length <= 10 ? "realtime" : "batch";
      const notificationId = dispatch(request, {
        template,
        templateVersion: template.version,
        receivers: [...new Set(receivers)],
        sendMode: mode,
        tag,
        variables: objectOf(variables),
      });
      return mode === "realtime"
        ? { notificationId, channels, mode }
        : { batchId: randomUUID(), total: receivers.length, channels, mode };
    },
  }),
];

type Recipient = JsonObject & { id: string; status: string; variables: JsonObject };
type Campaign = JsonObject & { id: string; recipients: Recipient[] };

function campaign(request: AppRequest): Campaign {
  return requireObject(request, "campaign");
}

function requireDraft(request: AppRequest): Campaign {
  const stored = campaign(request);
  if (stored.status !== "draft") throw refuse("ERR_VALIDATION", "The campaign is not a draft.");
  return stored;
}

function change(request: AppRequest, fields: JsonObject) {
  return changeObject(request, "campaign", fields);
}

function show(stored: JsonObject) {
  return omit(stored, "recipients", "importStatus");
}

function readUids(request: AppRequest, field: string) {
  const uids = textsOf(request.body, field);
  if (uids.length > 0 && uids.length <= 10_000) return uids;
  throw refuse("ERR_VALIDATION", `The ${field} must hold 1 to 10000 uids.`);
}

const recipientStates = ["pending", "processing", "completed", "failed"];
const eventFields = [
  "campaignId",
  "name",
  "status",
  "templateId",
  "templateVersion",
  "totalTargets",
  "sentCount",
  "failedCount",
  "scheduledAt",
  "sentAt",
  "completedAt",
  "createdAt",
  "updatedAt",
];
