import { type Reply, reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
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
    remove,
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
  const id = request.param("id");
  const item = requireObject(request, kind, id);
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
      ...(isDelivered ? { deliveredAt: at } : {}),
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

function remove(request: AppRequest): Reply {
  const item = own(request, "feed-item");
  putObject(request, "feed-item", {
    ...item,
    deletedAt: item.deletedAt ?? nowSeconds(request),
    id: request.param("id"),
  });
  return { status: 204, body: {} };
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
