import { found } from "../errors/platform-error.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import { type JsonObject, omit } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { findUser } from "../store/users.ts";
import {
  type CampaignKind,
  campaignFamily,
  changeObject,
  filterObjects,
  listObjects,
  listReply,
  refuse,
  requireObject,
} from "./campaign-route.ts";
import { emitItem } from "./dispatch.ts";

export const feedRoutes = campaignFamily({
  NotificationFeedController_getUnreadCount(request) {
    const unread = visible(request, "feed-item").filter(({ readAt }) => typeof readAt !== "number");
    return { count: filterObjects(request, unread, ["templateCategory"]).length };
  },
  NotificationFeedController_findById: (request) => own(request, "feed-item"),
  NotificationFeedController_markAsRead: marking("after_feed_item_read"),
  NotificationFeedController_markAsDelivered: marking("after_feed_item_delivered"),
  NotificationFeedController_reportEngagement: engaging("feed-item"),
  PushNotificationsController_findByReceiver: (request) =>
    listReply(request, visible(request, "push-notification"), "sentAt"),
  PushNotificationsController_findById: (request) => own(request, "push-notification"),
  PushNotificationsController_markDelivered: marking("after_push_notification_delivered"),
  PushNotificationsController_markClicked: marking("after_push_notification_clicked"),
  PushNotificationsController_reportEngagement: engaging("push-notification"),
  NotificationFeedController_findFeed(request) {
    const state = request.query.text("readState") ?? "all";
    const items = visible(request, "feed-item").filter(
      ({ readAt }) => state === "all" || (state === "read") === (typeof readAt === "number"),
    );
    const fields = ["templateCategory", "channelId", "receiver"];
    return listReply(request, filterObjects(request, items, fields), "sentAt");
  },
  NotificationFeedController_delete(request) {
    const { deletedAt = nowSeconds(request) } = own(request, "feed-item");
    changeObject(request, "feed-item", { deletedAt });
    return {};
  },
  AnalyticsController_getOverview: (request) => count(itemsOf(request)),
  AnalyticsController_getCampaignAnalytics: analysing("campaign"),
  AnalyticsController_getTemplateAnalytics: analysing("template"),
  AnalyticsController_getChannelBreakdown(request) {
    const byChannel = Map.groupBy(itemsOf(request), ({ channelType }) => channelType);
    return [...byChannel].map(([channelType, items]) => ({ channelType, ...count(items) }));
  },
  AnalyticsController_getUserInsights(request) {
    const uid = request.param("userId");
    const items = itemsOf(request, "receiver", uid);
    // A uid that is no user and never received an item is unknown (assumed).
    if (items.length === 0) found(findUser(request, uid), "ERR_NOT_FOUND", `The user ${uid} does not exist.`);
    const engaged = items.map(({ engagedAt }) => engagedAt).filter((at) => typeof at === "number");
    return {
      ...omit(count(items), "sent", "delivered"),
      lastEngagement: engaged.length === 0 ? null : Math.max(...engaged),
    };
  },
});

type ItemKind = Extract<CampaignKind, "feed-item" | "push-notification">;

function visible(request: AppRequest, kind: ItemKind) {
  const withDeleted = request.query.flag("includeDeleted") === true;
  return listObjects(request, kind)
    .filter(({ receiver }) => request.actor === undefined || receiver === request.actor.uid)
    .filter(({ deletedAt }) => withDeleted || deletedAt === undefined);
}

function own(request: AppRequest, kind: ItemKind) {
  const item = requireObject(request, kind);
  const isOthers = request.actor !== undefined && item.receiver !== request.actor.uid;
  return isOthers ? requireObject(request, kind, "") : item;
}

// Marks the first time only. By the switch, reading also delivers.
function marking(trigger: Parameters<typeof emitItem>[1]): AppRoute["handler"] {
  const kind = trigger.includes("feed_item") ? "feed-item" : "push-notification";
  const status = trigger.slice(trigger.lastIndexOf("_") + 1);
  const field = `${status}At`;
  return (request) => {
    const item = own(request, kind);
    if (typeof item[field] === "number") return item;
    const at = nowSeconds(request);
    const isRead = status === "read" && request.switches.feedItemForm === "live";
    const isDelivered = isRead && typeof item.deliveredAt !== "number";
    const changed = changeObject(request, kind, {
      ...(isDelivered && { deliveredAt: at }),
      [field]: at,
      // A late delivery does not undo a later state.
      status: item.status === "sent" || status !== "delivered" ? status : item.status,
    });
    if (isDelivered) emitItem(request, "after_feed_item_delivered", changed);
    emitItem(request, trigger, changed);
    return changed;
  };
}

function engaging(kind: ItemKind): AppRoute["handler"] {
  return (request) => {
    const { topic = "clicked" } = request.body;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(String(topic))) {
      throw refuse("ERR_VALIDATION", "The topic may have 64 letters, digits, _ and -.");
    }
    const engagedAt = own(request, kind).engagedAt ?? nowSeconds(request);
    const changed = changeObject(request, kind, { engagedAt, topic });
    if (kind === "feed-item") emitItem(request, "after_feed_item_interacted", changed);
    return changed;
  };
}

function analysing(kind: "campaign" | "template"): AppRoute["handler"] {
  const field = `${kind}Id`;
  return (request) => {
    const { id } = requireObject(request, kind, request.param(field));
    return { [field]: id, ...count(itemsOf(request, field, id)) };
  };
}

function itemsOf(request: AppRequest, field?: string, value?: unknown) {
  const items = [...listObjects(request, "feed-item"), ...listObjects(request, "push-notification")];
  return field === undefined ? items : items.filter((item) => item[field] === value);
}

function count(items: readonly JsonObject[]) {
  const having = (field: string) => items.filter((item) => typeof item[field] === "number").length;
  return {
    sent: items.length,
    delivered: having("deliveredAt"),
    viewed: having("readAt"),
    clicked: having("clickedAt"),
    interacted: having("engagedAt"),
  };
}
