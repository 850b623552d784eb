import { randomUUID } from "node:crypto";
import type { AppRequest } from "../http/route.ts";
import { defined, type JsonObject, objectsOf, omit, pick } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { listObjects, putObject } from "./campaign-route.ts";

type Dispatch = {
  template: JsonObject;
  templateVersion: unknown;
  receivers: readonly string[];
  sendMode: "realtime" | "batch";
  campaignId?: string;
  tag?: unknown;
  variables: JsonObject;
};

/**
 * Adds a feed item and a push notification for every receiver, known or not, by the template's channels.
 * @see docs/internals/platform/events.md#campaign-events
 */
export function dispatch(request: AppRequest, sending: Dispatch): string {
  const { template, receivers, campaignId, tag } = sending;
  const notificationId = randomUUID();
  const at = nowSeconds(request);
  const channels = objectsOf(template.channels).map((channel) => ({
    channel,
    fields: channelFields(request, channel),
  }));
  const common = {
    appId: request.app.appId,
    notificationId,
    ...defined({ campaignId }),
    templateId: template.templateId,
    templateVersion: sending.templateVersion,
    ...pick(template, "label"),
    tags: template.tags ?? [],
  };
  const category = defined({ category: template.templateCategory });
  const feed = { ...templateCategoryFields(request, template), readAt: null, realtimeFanout };
  const push = { ...category, clickedAt: null, failedAt: null, errorMessage: null, ...defined({ tag }) };
  request.emit("after_notification_created", {
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
        ...pick(template, "alternativeText"),
        variables: sending.variables[receiver] ?? {},
        status: "sent",
        sentAt: at,
        deliveredAt: null,
        engagedAt: null,
        metadata: {},
      };
      if (channel.channelType === "in_app") {
        const content = pick(channel, "content");
        const stored = putObject(request, "feed-item", { ...item, ...feed, ...content });
        emitItem(request, "after_feed_item_sent", stored);
      } else if (channel.channelType === "push") {
        const stored = putObject(request, "push-notification", { ...item, ...push });
        emitItem(request, "after_push_notification_sent", stored);
      }
    }
  }
  return notificationId;
}

function channelFields(request: AppRequest, channel: JsonObject) {
  const known = listObjects(request, "channel").find(({ type }) => type === channel.channelType);
  const channelId = channel.channelId ?? known?.channelId;
  return {
    channelType: channel.channelType,
    ...defined({ channelId }),
    dataType: channel.dataType ?? "ui_template",
  };
}

function templateCategoryFields(request: AppRequest, { templateCategory }: JsonObject) {
  if (templateCategory === undefined) return {};
  const known = listObjects(request, "category").find(({ name }) => name === templateCategory);
  return { templateCategory, ...(known !== undefined && { categoryId: known.id }) };
}

const realtimeFanout = ["websocket"];

/**
 * @see docs/internals/platform/events.md#campaign-events
 * @see docs/internals/platform/events.md#feed-items-live
 */
export function emitItem(request: AppRequest, trigger: ItemTrigger, item: JsonObject): void {
  const known = omit(item, "createdAt", "updatedAt", "deletedAt");
  request.emit(trigger, shapes[trigger](known, request));
}

type ItemTrigger = keyof typeof shapes;

const shapes = {
  after_feed_item_sent: (item) => omit(item, "variables", "metadata"),
  after_feed_item_delivered: (item) => omit(item, "content", "variables", "metadata"),
  after_feed_item_read: (item) => omit(item, "content"),
  after_feed_item_interacted(item, { switches }) {
    // The pages print it as read, with another time.
    if (switches.feedItemForm === "live") return omit(item, "content");
    return { ...omit(item, "content", "engagedAt", "topic"), status: "read", interactedAt: item.engagedAt };
  },
  after_push_notification_sent: pushForm,
  after_push_notification_delivered: pushForm,
  after_push_notification_clicked: pushForm,
} satisfies Record<string, (item: JsonObject, request: AppRequest) => JsonObject>;

function pushForm({ id, ...item }: JsonObject) {
  return { pushNotificationId: id, ...omit(item, "topic") };
}
