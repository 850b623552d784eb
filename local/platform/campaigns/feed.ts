import { reply } from "../http/reply.ts";
import type { AppCall, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds } from "../services.ts";
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

const asUser = { forUsers: true };

/**
 * Declares the notification feed and push notifications of users. Nothing in the emulation fills them yet: they hold
 * what `putObject` stores as `feed-item` and `push-notification`.
 */
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
  campaignRoute(
    "NotificationFeedController_delete",
    "DELETE /notification-feed/{id}",
    (call) => {
      mark(call, "feed-item", "deletedAt");
      return { status: 204, body: {} };
    },
    asUser,
  ),
  campaignRoute(
    "NotificationFeedController_markAsRead",
    "POST /notification-feed/{id}/read",
    (call) => reply(mark(call, "feed-item", "readAt")),
    asUser,
  ),
  campaignRoute(
    "NotificationFeedController_markAsDelivered",
    "POST /notification-feed/{id}/delivered",
    (call) => reply(mark(call, "feed-item", "deliveredAt")),
    asUser,
  ),
  campaignRoute(
    "NotificationFeedController_reportEngagement",
    "POST /notification-feed/{id}/engagement",
    (call) => reply(engage(call, "feed-item")),
    asUser,
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
    (call) => reply(mark(call, "push-notification", "deliveredAt")),
    asUser,
  ),
  campaignRoute(
    "PushNotificationsController_markClicked",
    "PUT /push-notifications/{id}/clicked",
    (call) => reply(mark(call, "push-notification", "clickedAt")),
    asUser,
  ),
  campaignRoute(
    "PushNotificationsController_reportEngagement",
    "POST /push-notifications/{id}/engagement",
    (call) => reply(engage(call, "push-notification")),
    asUser,
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

// Marking again keeps the first time.
function mark(call: AppCall, kind: ItemKind, field: string): JsonObject {
  const item = own(call, kind);
  return putObject(call, kind, { ...item, [field]: item[field] ?? nowSeconds(call), id: call.param("id") });
}

function engage(call: AppCall, kind: ItemKind): JsonObject {
  const topic = call.body.topic ?? "clicked";
  if (typeof topic !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(topic)) {
    throw refuse("ERR_VALIDATION", "The topic may have 64 letters, digits, _ and -.");
  }
  return putObject(call, kind, { ...mark(call, kind, "engagedAt"), topic, id: call.param("id") });
}
