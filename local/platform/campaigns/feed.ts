import { type Reply, reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
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
import { emitItem } from "./item-events.ts";

const asUser = { forUsers: true };
const oneEvent = { ...asUser, assumptions: ["The same again changes nothing and fires no event."] };

/** Declares the notification feed and push notifications of users, which `dispatch` fills. */
export const feedRoutes: readonly AppRoute[] = [
  campaignRoute(
    "NotificationFeedController_getUnreadCount",
    "GET /notification-feed/unread-count",
    (call) => {
      if (call.query.text("templateCategory") === undefined) {
        throw refuse("ERR_VALIDATION", "The templateCategory field is required.");
      }
      const unread = visible(call, "feed-item").filter(({ readAt }) => typeof readAt !== "number");
      return reply({ count: filterObjects(call, unread, ["templateCategory"]).length });
    },
    asUser,
  ),
  campaignRoute(
    "NotificationFeedController_findFeed",
    "GET /notification-feed",
    (call) => {
      const state = call.query.text("readState") ?? "all";
      const items = visible(call, "feed-item").filter(
        ({ readAt }) => state === "all" || (state === "read") === (typeof readAt === "number"),
      );
      return listReply(
        call,
        filterObjects(call, items, ["templateCategory", "channelId", "receiver"]),
        "sentAt",
      );
    },
    asUser,
  ),
  campaignRoute(
    "NotificationFeedController_findById",
    "GET /notification-feed/{id}",
    (call) => reply(own(call, "feed-item")),
    asUser,
  ),
  campaignRoute("NotificationFeedController_delete", "DELETE /notification-feed/{id}", remove, asUser),
  campaignRoute(
    "NotificationFeedController_markAsRead",
    "POST /notification-feed/{id}/read",
    (call) => reply(mark(call, "feedRead")),
    oneEvent,
  ),
  campaignRoute(
    "NotificationFeedController_markAsDelivered",
    "POST /notification-feed/{id}/delivered",
    (call) => reply(mark(call, "feedDelivered")),
    oneEvent,
  ),
  campaignRoute(
    "NotificationFeedController_reportEngagement",
    "POST /notification-feed/{id}/engagement",
    (call) => reply(engage(call, "feed-item")),
    { ...asUser, assumptions: ["Every engagement fires an event; `engagedAt` is the first."] },
  ),
  campaignRoute(
    "PushNotificationsController_findByReceiver",
    "GET /push-notifications",
    (call) => {
      if (call.query.text("limit") === undefined)
        throw refuse("ERR_VALIDATION", "The limit field is required.");
      return listReply(call, visible(call, "push-notification"), "sentAt");
    },
    asUser,
  ),
  campaignRoute(
    "PushNotificationsController_findById",
    "GET /push-notifications/{id}",
    (call) => reply(own(call, "push-notification")),
    asUser,
  ),
  campaignRoute(
    "PushNotificationsController_markDelivered",
    "PUT /push-notifications/{id}/delivered",
    (call) => reply(mark(call, "pushDelivered")),
    oneEvent,
  ),
  campaignRoute(
    "PushNotificationsController_markClicked",
    "PUT /push-notifications/{id}/clicked",
    (call) => reply(mark(call, "pushClicked")),
    oneEvent,
  ),
  campaignRoute(
    "PushNotificationsController_reportEngagement",
    "POST /push-notifications/{id}/engagement",
    (call) => reply(engage(call, "push-notification")),
    { ...asUser, assumptions: ["Fires no event."] },
  ),
];

type ItemKind = Extract<CampaignKind, "feed-item" | "push-notification">;

function visible(call: AppCall, kind: ItemKind): JsonObject[] {
  const withDeleted = call.query.flag("includeDeleted") === true;
  return listObjects(call, kind)
    .filter(({ receiver }) => call.actor === undefined || receiver === call.actor.uid)
    .filter(({ deletedAt }) => withDeleted || deletedAt === undefined);
}

function own(call: AppCall, kind: ItemKind): JsonObject {
  const id = call.param("id");
  const item = requireObject(call, kind, id);
  const isOthers = call.actor !== undefined && item.receiver !== call.actor.uid;
  return isOthers ? requireObject(call, kind, "") : item;
}

/**
 * Sets a time of an item, the first time only, and tells of it. Where the switch says so, reading an item delivers it too.
 */
function mark(call: AppCall, name: keyof typeof marks): JsonObject {
  const { kind, field, status, trigger } = marks[name];
  const item = own(call, kind);
  if (typeof item[field] === "number") return item;
  const at = nowSeconds(call);
  const isRead = name === "feedRead" && call.switches.feedItemForm === "live";
  const isDelivered = isRead && typeof item.deliveredAt !== "number";
  return call.db.transaction(() => {
    const changed = putObject(call, kind, {
      ...item,
      ...(isDelivered ? { deliveredAt: at } : {}),
      [field]: at,
      // A late delivery takes nothing back.
      status: item.status === "sent" || status !== "delivered" ? status : item.status,
      id: call.param("id"),
    });
    if (isDelivered) emitItem(call, "after_feed_item_delivered", changed);
    emitItem(call, trigger, changed);
    return changed;
  });
}

function remove(call: AppCall): Reply {
  const item = own(call, "feed-item");
  putObject(call, "feed-item", {
    ...item,
    deletedAt: item.deletedAt ?? nowSeconds(call),
    id: call.param("id"),
  });
  return { status: 204, body: {} };
}

function engage(call: AppCall, kind: ItemKind): JsonObject {
  const topic = call.body.topic ?? "clicked";
  if (typeof topic !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(topic)) {
    throw refuse("ERR_VALIDATION", "The topic may have 64 letters, digits, _ and -.");
  }
  const item = own(call, kind);
  const engagedAt = item.engagedAt ?? nowSeconds(call);
  return call.db.transaction(() => {
    const changed = putObject(call, kind, { ...item, engagedAt, topic, id: call.param("id") });
    if (kind === "feed-item") emitItem(call, "after_feed_item_interacted", changed);
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
