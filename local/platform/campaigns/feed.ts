import { PlatformError } from "../errors/platform-error.ts";
import { reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { findUser } from "../store/users.ts";
import {
  type CampaignKind,
  campaignRoute,
  filterObjects,
  listObjects,
  listReply,
  putObject,
  refuse,
  requireObject,
} from "./campaign-route.ts";
import { emitItem } from "./dispatch.ts";

const asUser = { forUsers: true };
const oneEvent = { ...asUser, assumptions: ["The same again changes nothing and fires no event."] };

/** Declares the notification feed and push notifications of users, which `dispatch` fills. */
export const feedRoutes: readonly AppRoute[] = [
  campaignRoute(
    "NotificationFeedController_getUnreadCount",
    "GET /campaigns/notification-feed/unread-count",
    (request) => {
      if (request.query.text("templateCategory") === undefined) {
        throw refuse("ERR_VALIDATION", "The templateCategory field is required.");
      }
      const unread = visible(request, "feed-item").filter(({ readAt }) => typeof readAt !== "number");
      return reply({ count: filterObjects(request, unread, ["templateCategory"]).length });
    },
    asUser,
  ),
  campaignRoute(
    "NotificationFeedController_findFeed",
    "GET /campaigns/notification-feed",
    (request) => {
      const state = request.query.text("readState") ?? "all";
      const items = visible(request, "feed-item").filter(
        ({ readAt }) => state === "all" || (state === "read") === (typeof readAt === "number"),
      );
      return listReply(
        request,
        filterObjects(request, items, ["templateCategory", "channelId", "receiver"]),
        "sentAt",
      );
    },
    {
      ...asUser,
      input: {
        query: { dateFrom: "integer", dateTo: "integer", includeExpired: "boolean", sentAt: "integer" },
      },
    },
  ),
  campaignRoute(
    "NotificationFeedController_findById",
    "GET /campaigns/notification-feed/{id}",
    (request) => reply(own(request, "feed-item")),
    asUser,
  ),
  campaignRoute(
    "NotificationFeedController_delete",
    "DELETE /campaigns/notification-feed/{id}",
    (request) => {
      const item = own(request, "feed-item");
      putObject(request, "feed-item", {
        ...item,
        deletedAt: item.deletedAt ?? nowSeconds(request),
        id: request.param("id"),
      });
      return { status: 204, body: {} };
    },
    asUser,
  ),
  campaignRoute(
    "NotificationFeedController_markAsRead",
    "POST /campaigns/notification-feed/{id}/read",
    (request) => reply(mark(request, "feedRead")),
    oneEvent,
  ),
  campaignRoute(
    "NotificationFeedController_markAsDelivered",
    "POST /campaigns/notification-feed/{id}/delivered",
    (request) => reply(mark(request, "feedDelivered")),
    oneEvent,
  ),
  campaignRoute(
    "NotificationFeedController_reportEngagement",
    "POST /campaigns/notification-feed/{id}/engagement",
    (request) => reply(engage(request, "feed-item")),
    { ...asUser, assumptions: ["Every engagement fires an event; `engagedAt` is the first."] },
  ),
  campaignRoute(
    "PushNotificationsController_findByReceiver",
    "GET /campaigns/push-notifications",
    (request) => {
      if (request.query.text("limit") === undefined)
        throw refuse("ERR_VALIDATION", "The limit field is required.");
      return listReply(request, visible(request, "push-notification"), "sentAt");
    },
    asUser,
  ),
  campaignRoute(
    "PushNotificationsController_findById",
    "GET /campaigns/push-notifications/{id}",
    (request) => reply(own(request, "push-notification")),
    asUser,
  ),
  campaignRoute(
    "PushNotificationsController_markDelivered",
    "PUT /campaigns/push-notifications/{id}/delivered",
    (request) => reply(mark(request, "pushDelivered")),
    oneEvent,
  ),
  campaignRoute(
    "PushNotificationsController_markClicked",
    "PUT /campaigns/push-notifications/{id}/clicked",
    (request) => reply(mark(request, "pushClicked")),
    oneEvent,
  ),
  campaignRoute(
    "PushNotificationsController_reportEngagement",
    "POST /campaigns/push-notifications/{id}/engagement",
    (request) => reply(engage(request, "push-notification")),
    { ...asUser, assumptions: ["Fires no event."] },
  ),
];

type ItemKind = Extract<CampaignKind, "feed-item" | "push-notification">;

function visible(request: AppRequest, kind: ItemKind): JsonObject[] {
  const withDeleted = request.query.flag("includeDeleted") === true;
  return listObjects(request, kind)
    .filter(({ receiver }) => request.actor === undefined || receiver === request.actor.uid)
    .filter(({ deletedAt }) => withDeleted || deletedAt === undefined);
}

function own(request: AppRequest, kind: ItemKind): JsonObject {
  const item = requireObject(request, kind, request.param("id"));
  const isOthers = request.actor !== undefined && item.receiver !== request.actor.uid;
  return isOthers ? requireObject(request, kind, "") : item;
}

/**
 * Sets a time of an item, the first time only, and tells of it. Where the switch says so, reading an item delivers it too.
 */
function mark(request: AppRequest, name: keyof typeof marks): JsonObject {
  const { kind, field, status, trigger } = marks[name];
  const item = own(request, kind);
  if (typeof item[field] === "number") return item;
  const at = nowSeconds(request);
  const isRead = name === "feedRead" && request.switches.feedItemForm === "live";
  const isDelivered = isRead && typeof item.deliveredAt !== "number";
  return request.db.transaction(() => {
    const changed = putObject(request, kind, {
      ...item,
      ...(isDelivered && { deliveredAt: at }),
      [field]: at,
      // A late delivery takes nothing back.
      status: item.status === "sent" || status !== "delivered" ? status : item.status,
      id: request.param("id"),
    });
    if (isDelivered) emitItem(request, "after_feed_item_delivered", changed);
    emitItem(request, trigger, changed);
    return changed;
  });
}

function engage(request: AppRequest, kind: ItemKind): JsonObject {
  const topic = request.body.topic ?? "clicked";
  if (typeof topic !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(topic)) {
    throw refuse("ERR_VALIDATION", "The topic may have 64 letters, digits, _ and -.");
  }
  const item = own(request, kind);
  const engagedAt = item.engagedAt ?? nowSeconds(request);
  return request.db.transaction(() => {
    const changed = putObject(request, kind, { ...item, engagedAt, topic, id: request.param("id") });
    if (kind === "feed-item") emitItem(request, "after_feed_item_interacted", changed);
    return changed;
  });
}

const marks = {
  feedRead: { kind: "feed-item", field: "readAt", status: "read", trigger: "after_feed_item_read" },
  feedDelivered: {
    kind: "feed-item",
    field: "deliveredAt",
    status: "delivered",
    trigger: "after_feed_item_delivered",
  },
  pushDelivered: {
    kind: "push-notification",
    field: "deliveredAt",
    status: "delivered",
    trigger: "after_push_notification_delivered",
  },
  pushClicked: {
    kind: "push-notification",
    field: "clickedAt",
    status: "clicked",
    trigger: "after_push_notification_clicked",
  },
} as const;

const limited = { query: { limit: "integer" } } as const;
const counted = { assumptions: ["Counts the items of feeds and the push notifications, of all times."] };

/** Declares the numbers of what was sent and what became of it. */
export const analyticsRoutes: readonly AppRoute[] = [
  campaignRoute(
    "AnalyticsController_getOverview",
    "GET /campaigns/analytics/overview",
    (request) => reply(count(itemsOf(request))),
    { ...counted, input: limited },
  ),
  campaignRoute(
    "AnalyticsController_getCampaignAnalytics",
    "GET /campaigns/analytics/campaigns/{campaignId}",
    (request) => {
      const campaignId = requireObject(request, "campaign", request.param("campaignId")).id;
      return reply({ campaignId, ...count(itemsOf(request, "campaignId", campaignId)) });
    },
    { ...counted, input: limited },
  ),
  campaignRoute(
    "AnalyticsController_getTemplateAnalytics",
    "GET /campaigns/analytics/templates/{templateId}",
    (request) => {
      const templateId = requireObject(request, "template", request.param("templateId")).id;
      return reply({ templateId, ...count(itemsOf(request, "templateId", templateId)) });
    },
    { ...counted, input: limited },
  ),
  campaignRoute(
    "AnalyticsController_getChannelBreakdown",
    "GET /campaigns/analytics/channels",
    (request) => {
      const byChannel = Map.groupBy(itemsOf(request), ({ channelType }) => channelType);
      return reply([...byChannel].map(([channelType, items]) => ({ channelType, ...count(items) })));
    },
    { ...counted, input: limited },
  ),
  campaignRoute(
    "AnalyticsController_getUserInsights",
    "GET /campaigns/analytics/users/{userId}",
    (request) => {
      const items = itemsOf(request, "receiver", requireReceiver(request));
      const engaged = items.map(({ engagedAt }) => engagedAt).filter((at) => typeof at === "number");
      const { viewed, clicked, interacted } = count(items);
      return reply({
        viewed,
        clicked,
        interacted,
        lastEngagement: engaged.length === 0 ? null : Math.max(...engaged),
      });
    },
    { ...counted, input: limited },
  ),
];

function itemsOf(request: AppRequest, field?: string, value?: unknown): JsonObject[] {
  const items = [...listObjects(request, "feed-item"), ...listObjects(request, "push-notification")];
  return field === undefined ? items : items.filter((item) => item[field] === value);
}

// Receivers need not exist as users; one that is neither a user nor was ever written to is unknown (assumed).
function requireReceiver(request: AppRequest): string {
  const uid = request.param("userId");
  const isKnown = findUser(request, uid) !== undefined || itemsOf(request, "receiver", uid).length > 0;
  if (!isKnown) throw new PlatformError("ERR_NOT_FOUND", `The user ${uid} does not exist.`);
  return uid;
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
