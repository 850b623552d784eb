import * as z from "zod/mini";
import { recordOf } from "../../base/record-of.ts";
import { maybeNumber, undocumented } from "../answers.ts";
import type { Family } from "../operation.ts";
import {
  ids,
  int,
  json,
  looseObject,
  opt,
  optional,
  strictObject,
  unixSeconds,
  word,
  words,
} from "../schema.ts";
import { analyticsQuery, campaignEntityAnswer, cursorFields } from "./campaign-input.ts";

const variablesByUser = () => opt(json);

/** @see docs/internals/platform/campaigns.md#single-notifications */
const receivers = () => ids().check(z.minLength(1), z.maxLength(10_000));

/**
 * Campaigns send a template to many users, now or at a time. See
 * docs/internals/platform/campaigns.md#sending-campaigns.
 * @example
 * const { id } = await chat.campaigns.create({ name: "Launch", templateId, templateVersion: 1 });
 * if (id) {
 *   await chat.campaigns.addRecipients(id, { userIds: ["alice", "bob"] });
 *   await chat.campaigns.send(id);
 * }
 */
export const campaigns = {
  /** Creates a campaign as a draft. `templateVersion` from 1. */
  create: {
    id: "CampaignsController_create",
    documented: "none",
    request: "POST /campaigns/campaigns",
    input: () =>
      strictObject({
        name: words(1_000),
        templateId: words(1_000),
        templateVersion: int(1),
        variables: opt(json),
        config: opt(json),
      }),
    answer: campaignEntityAnswer,
  },
  /** Lists campaigns. */
  list: {
    id: "CampaignsController_findAll",
    documented: "none",
    request: "GET /campaigns/campaigns",
    input: () =>
      strictObject({
        ...cursorFields(),
        ...optional({ sort: z.enum(["updatedAt", "createdAt", "name"]), status: word, search: word }),
      }),
    paged: "cursor",
    answer: campaignEntityAnswer,
  },
  /** Reads a campaign. */
  get: {
    id: "CampaignsController_findById",
    documented: "none",
    request: "GET /campaigns/campaigns/{id}",
    answer: campaignEntityAnswer,
  },
  /** Changes a draft. Errors: 400 if it is not a draft. */
  update: {
    id: "CampaignsController_update",
    documented: "none",
    request: "PUT /campaigns/campaigns/{id}",
    input: () => strictObject(optional({ name: words(1_000), config: json })),
    answer: campaignEntityAnswer,
  },
  /** Deletes a draft. Errors: 400 if it is not a draft. */
  delete: {
    id: "CampaignsController_delete",
    documented: "none",
    request: "DELETE /campaigns/campaigns/{id}",
    answer: undocumented,
  },
  /** Adds 1–10,000 users to a draft, with variables by uid. */
  addRecipients: {
    id: "CampaignsController_addRecipients",
    documented: "none",
    request: "POST /campaigns/campaigns/{id}/recipients",
    input: () => strictObject({ userIds: receivers, userVariables: variablesByUser }),
    answer: undocumented,
  },
  /** Lists recipients and their results. */
  listRecipients: {
    id: "CampaignsController_getRecipients",
    documented: "none",
    request: "GET /campaigns/campaigns/{id}/recipients",
    input: () =>
      strictObject({
        ...cursorFields(),
        sort: opt(z.enum(["updatedAt", "createdAt"])),
        status: opt(z.enum(["pending", "processing", "completed", "failed"])),
      }),
    paged: "cursor",
    answer: campaignEntityAnswer,
  },
  /** Counts recipients by result. */
  recipientSummary: {
    id: "CampaignsController_getRecipientSummary",
    documented: "none",
    request: "GET /campaigns/campaigns/{id}/recipients/summary",
    answer: undocumented,
  },
  /** Returns a URL for the upload of a CSV of recipients. Harmless if repeated. */
  createUploadUrl: {
    id: "CampaignsController_getUploadUrl",
    documented: "none",
    request: "POST /campaigns/campaigns/{id}/recipients/upload-url",
    answer: undocumented,
  },
  /**
   * Starts importing an uploaded CSV in the background. Errors: 409 while one runs (after an unclear try:
   * done).
   */
  importCsv: {
    id: "CampaignsController_importCsv",
    documented: "none",
    request: "POST /campaigns/campaigns/{id}/import-csv",
    input: () => strictObject({ s3Key: words(1_024) }),
    answer: undocumented,
  },
  /** Reads the progress of an import. Errors: 404 if none runs. */
  importStatus: {
    id: "CampaignsController_getImportStatus",
    documented: "none",
    request: "GET /campaigns/campaigns/{id}/import-status",
    answer: undocumented,
  },
  /** Sends a campaign now. Errors: 400 without recipients or if it has already started. */
  send: {
    id: "CampaignsController_send",
    documented: "none",
    request: "POST /campaigns/campaigns/{id}/send",
    answer: undocumented,
  },
  /** Sends a campaign at a moment in unix seconds. Errors: 400. */
  schedule: {
    id: "CampaignsController_schedule",
    documented: "none",
    request: "POST /campaigns/campaigns/{id}/schedule",
    input: () => strictObject({ scheduledAt: unixSeconds }),
    answer: undocumented,
  },
  /** Stops a campaign. Errors: 400 if it is too late. */
  cancel: {
    id: "CampaignsController_cancel",
    documented: "none",
    request: "POST /campaigns/campaigns/{id}/cancel",
    answer: undocumented,
  },
  /** Reads the results of each step of the channel sequence. */
  sequenceMetrics: {
    id: "CampaignsController_getSequenceMetrics",
    documented: "none",
    request: "GET /campaigns/campaigns/{id}/sequence-metrics",
    answer: undocumented,
  },
} as const satisfies Family;

/**
 * Single notifications from a template. See docs/internals/platform/campaigns.md#single-notifications.
 * @example
 * await chat.campaignNotifications.send({ templateId, receivers: ["alice"] });
 */
export const campaignNotifications = {
  /**
   * Notifies 1–10,000 users: up to 10 now, more in the background (`mode` realtime or batch). Repeated, it
   * may notify twice.
   */
  send: {
    id: "NotificationSendController_send",
    request: "POST /campaigns/notifications/messages",
    input: () =>
      strictObject({
        templateId: words(1_000),
        receivers,
        variables: variablesByUser,
        tag: opt(word),
      }),
    answer: undocumented,
  },
} as const satisfies Family;

/**
 * Results of campaigns; dates as ISO 8601, `limit` default 50. See
 * docs/internals/platform/campaigns.md#analytics.
 * @example
 * const { viewed, clicked } = await chat.analytics.user("alice");
 * console.log(`Alice has seen ${viewed} and followed ${clicked}.`);
 * console.log(await chat.analytics.overview()); // its shape is not documented
 */
export const analytics = {
  /** Reads the overview. */
  overview: {
    id: "AnalyticsController_getOverview",
    documented: "none",
    request: "GET /campaigns/analytics/overview",
    input: analyticsQuery,
    answer: undocumented,
  },
  /** Reads the results of one campaign. */
  campaign: {
    id: "AnalyticsController_getCampaignAnalytics",
    documented: "none",
    request: "GET /campaigns/analytics/campaigns/{campaignId}",
    input: analyticsQuery,
    answer: undocumented,
  },
  /** Reads the results of one template. */
  template: {
    id: "AnalyticsController_getTemplateAnalytics",
    documented: "none",
    request: "GET /campaigns/analytics/templates/{templateId}",
    input: analyticsQuery,
    answer: undocumented,
  },
  /** Reads the results of the channels. */
  channels: {
    id: "AnalyticsController_getChannelBreakdown",
    documented: "none",
    request: "GET /campaigns/analytics/channels",
    input: analyticsQuery,
    answer: undocumented,
  },
  /** Reads the activity of one user. */
  user: {
    id: "AnalyticsController_getUserInsights",
    request: "GET /campaigns/analytics/users/{userId}",
    input: analyticsQuery,
    answer: () =>
      looseObject({
        ...recordOf(["viewed", "clicked", "interacted", "lastEngagement"], maybeNumber),
      }),
  },
} as const satisfies Family;
