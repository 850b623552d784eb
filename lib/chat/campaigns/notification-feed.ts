import * as z from "zod/mini";
import { undocumented } from "../answers.ts";
import type { Family } from "../operation.ts";
import { int, list, opt, optional, platformId, strictObject, unixSeconds, word, yesNo } from "../schema.ts";
import { campaignEntityAnswer, cursorFields, engagementInput } from "./campaign-input.ts";

/**
 * The in-app notification feed. See docs/internals/platform/campaigns.md#notification-feed.
 * @example
 * for await (const { id } of chat.notificationFeed.list({}, { onBehalfOf: "alice" })) {
 *   if (id) await chat.notificationFeed.markRead(id, { onBehalfOf: "alice" });
 * }
 */
export const notificationFeed = {
  /** Lists feed items of the acting user, or as admin of `receiver`. Times in unix seconds. */
  list: {
    id: "NotificationFeedController_findFeed",
    request: "GET /campaigns/notification-feed",
    onBehalfOf: "optional",
    input: () =>
      strictObject({
        ...cursorFields(),
        ...optional({
          sentAt: unixSeconds,
          sort: z.enum(["sentAt", "createdAt"]),
          readState: z.enum(["read", "unread", "all"]),
          dateFrom: unixSeconds,
          dateTo: unixSeconds,
          tags: list,
          tagMatch: z.enum(["any", "all"]),
          templateCategory: word,
          channelId: word,
          includeDeleted: yesNo,
          includeExpired: yesNo,
          receiver: platformId,
          templateOnly: yesNo,
        }),
      }),
    csv: ["tags"],
    paged: "cursor",
    answer: campaignEntityAnswer,
  },
  /** Counts unread items of a category. */
  unreadCount: {
    id: "NotificationFeedController_getUnreadCount",
    documented: "none",
    request: "GET /campaigns/notification-feed/unread-count",
    onBehalfOf: "optional",
    input: () => strictObject({ templateCategory: word }),
    answer: undocumented,
  },
  /** Reads an item. Errors: ERR_FEED_ITEM_NOT_FOUND. */
  get: {
    id: "NotificationFeedController_findById",
    request: "GET /campaigns/notification-feed/{id}",
    onBehalfOf: "optional",
    input: () => strictObject({ templateOnly: opt(yesNo) }),
    answer: campaignEntityAnswer,
  },
  /** Deletes an item (for admins only, it is said). */
  delete: {
    id: "NotificationFeedController_delete",
    documented: "none",
    request: "DELETE /campaigns/notification-feed/{id}",
    onBehalfOf: "optional",
    answer: undocumented,
  },
  /** Marks an item as read. Harmless if repeated. */
  markRead: {
    id: "NotificationFeedController_markAsRead",
    documented: "none",
    request: "POST /campaigns/notification-feed/{id}/read",
    onBehalfOf: "optional",
    answer: undocumented,
  },
  /** Marks an item as delivered. Harmless if repeated. */
  markDelivered: {
    id: "NotificationFeedController_markAsDelivered",
    documented: "none",
    request: "POST /campaigns/notification-feed/{id}/delivered",
    onBehalfOf: "optional",
    answer: undocumented,
  },
  /** Reports a user's interaction with an item. Repeated, it may count twice. */
  reportEngagement: {
    id: "NotificationFeedController_reportEngagement",
    documented: "none",
    request: "POST /campaigns/notification-feed/{id}/engagement",
    onBehalfOf: "optional",
    input: engagementInput,
    answer: undocumented,
  },
} as const satisfies Family;

/**
 * Push notifications that campaigns sent. See docs/internals/platform/campaigns.md#push-notifications.
 * @example
 * for await (const { id, status } of chat.pushNotifications.list({ limit: 20 }, { onBehalfOf: "alice" })) {
 *   console.log(id, status);
 * }
 */
export const pushNotifications = {
  /** Lists those of the acting user. `limit` is required. One page. */
  list: {
    id: "PushNotificationsController_findByReceiver",
    documented: "none",
    request: "GET /campaigns/push-notifications",
    onBehalfOf: "optional",
    input: () => strictObject({ limit: int(1) }),
    paged: "once",
    answer: campaignEntityAnswer,
  },
  /** Reads one. */
  get: {
    id: "PushNotificationsController_findById",
    documented: "none",
    request: "GET /campaigns/push-notifications/{id}",
    onBehalfOf: "optional",
    answer: campaignEntityAnswer,
  },
  /** Marks one as delivered. */
  markDelivered: {
    id: "PushNotificationsController_markDelivered",
    documented: "none",
    request: "PUT /campaigns/push-notifications/{id}/delivered",
    onBehalfOf: "optional",
    answer: undocumented,
  },
  /** Marks one as clicked. */
  markClicked: {
    id: "PushNotificationsController_markClicked",
    documented: "none",
    request: "PUT /campaigns/push-notifications/{id}/clicked",
    onBehalfOf: "optional",
    answer: undocumented,
  },
  /** Reports a user's interaction with one. Repeated, it may count twice. */
  reportEngagement: {
    id: "PushNotificationsController_reportEngagement",
    documented: "none",
    request: "POST /campaigns/push-notifications/{id}/engagement",
    onBehalfOf: "optional",
    input: engagementInput,
    answer: undocumented,
  },
} as const satisfies Family;
