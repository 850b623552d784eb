import { randomUUID } from "node:crypto";
import type { AppRequest } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { channelsOf, listObjects, pick, putObject } from "./campaign-route.ts";
import { emitItem } from "./item-events.ts";

/** What is sent, and to whom. */
export type Dispatch = {
  template: JsonObject;
  templateVersion: unknown;
  receivers: readonly string[];
  sendMode: "realtime" | "batch";
  campaignId?: string;
  tag?: unknown;
  /** Values by uid, as the request gave them. */
  variables: JsonObject;
};

/**
 * Makes a notification of a template and gives every receiver, known or not, an item of their feed and a push
 * notification, as far as the template has these channels. Other channels carry nothing. Gives the notification's id.
 * @see docs/platform/events.md#campaign-events
 */
export function dispatch(request: AppRequest, sending: Dispatch): string {
  const { template, receivers, campaignId } = sending;
  const notificationId = randomUUID();
  const at = nowSeconds(request);
  const channels = channelsOf(template).map((channel) => ({
    channel,
    fields: channelFields(request, channel),
  }));
  const common = {
    appId: request.app.appId,
    notificationId,
    ...(campaignId === undefined ? {} : { campaignId }),
    templateId: template.templateId,
    templateVersion: sending.templateVersion,
    ...pick(template, ["label"]),
    tags: template.tags ?? [],
  };
  const { templateCategory } = template;
  const category = templateCategory === undefined ? {} : { category: templateCategory };
  const tag = sending.tag === undefined ? {} : { tag: sending.tag };
  const feedFields = { ...templateCategoryFields(request, template), readAt: null, realtimeFanout };
  const pushFields = { ...category, clickedAt: null, failedAt: null, errorMessage: null, ...tag };
  request.db.transaction(() => {
    request.outbox.emit(request.app, "after_notification_created", {
      ...common,
      ...category,
      sendMode: sending.sendMode,
      priority: "normal",
      channels: channels.map(({ channel }) => channel.channelType),
      dataType: channels[0]?.fields.dataType ?? "ui_template",
      status: "dispatching",
      totalTargets: receivers.length,
      sentCount: 0,
      failedCount: 0,
      createdAt: at,
    });
    for (const receiver of receivers) {
      for (const { channel, fields } of channels) {
        const item = {
          ...common,
          id: randomUUID(),
          receiver,
          ...fields,
          ...pick(template, ["alternativeText"]),
          variables: sending.variables[receiver] ?? {},
          status: "sent",
          sentAt: at,
          deliveredAt: null,
          engagedAt: null,
          metadata: {},
        };
        if (channel.channelType === "in_app") {
          const content = pick(channel, ["content"]);
          const stored = putObject(request, "feed-item", { ...item, ...feedFields, ...content });
          emitItem(request, "after_feed_item_sent", stored);
        } else if (channel.channelType === "push") {
          const stored = putObject(request, "push-notification", { ...item, ...pushFields });
          emitItem(request, "after_push_notification_sent", stored);
        }
      }
    }
  });
  return notificationId;
}

function channelFields(request: AppRequest, channel: JsonObject): JsonObject {
  const { channelType } = channel;
  const known = listObjects(request, "channel").find(({ type }) => type === channelType);
  const channelId = channel.channelId ?? known?.channelId;
  return {
    channelType,
    ...(channelId === undefined ? {} : { channelId }),
    dataType: channel.dataType ?? "ui_template",
  };
}

function templateCategoryFields(request: AppRequest, { templateCategory }: JsonObject): JsonObject {
  if (templateCategory === undefined) return {};
  const known = listObjects(request, "category").find(({ name }) => name === templateCategory);
  return { templateCategory, ...(known === undefined ? {} : { categoryId: known.id }) };
}

// The one value that the pages print.
const realtimeFanout = ["websocket"];
