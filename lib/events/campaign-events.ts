import { defineEvents, firstMoment, type HeadFacts } from "./define-event.ts";
import { anyObject, each, id, listOf, number, open, optional, text, time } from "./scalars.ts";

const campaignSchema = open({
  campaignId: id,
  ...each(["name", "status", "tag"], text),
  templateId: optional(id),
  ...each(["templateVersion", "totalTargets", "sentCount", "failedCount"], number),
  ...each(["scheduledAt", "sentAt", "completedAt", "createdAt", "updatedAt"], time),
});

const notificationSchema = open({
  notificationId: id,
  ...each(["campaignId", "templateId"], id),
  ...each(["category", "label", "sendMode", "priority", "dataType", "status"], text),
  ...each(["tags", "channels"], listOf(text)),
  ...each(["templateVersion", "totalTargets", "sentCount", "failedCount"], number),
  createdAt: optional(time),
});

const deliveryShape = {
  ...each(["notificationId", "campaignId", "receiver", "templateId", "channelId"], id),
  templateVersion: optional(number),
  ...each(["channelType", "label", "alternativeText", "dataType", "status"], text),
  tags: optional(listOf(text)),
  ...each(["variables", "metadata"], anyObject),
  ...each(["sentAt", "deliveredAt", "engagedAt"], time),
};

const feedItemSchema = open({
  id,
  ...deliveryShape,
  ...each(["templateCategory", "topic"], text),
  categoryId: optional(id),
  ...each(["readAt", "interactedAt"], time),
  realtimeFanout: optional(listOf(text)),
  content: optional(anyObject),
});

const pushSchema = open({
  pushNotificationId: id,
  ...deliveryShape,
  ...each(["category", "errorMessage", "tag"], text),
  ...each(["clickedAt", "failedAt"], time),
});

/** @see docs/internals/platform/events.md#campaign-events */
export const campaignEvents = {
  ...defineEvents(
    "webhook",
    ["after_campaign_completed", "after_campaign_failed"],
    campaignSchema,
    (campaign) => ({ head: momentOf(campaign, "completedAt"), facts: { campaign } }),
  ),

  ...defineEvents("webhook", ["after_notification_created"], notificationSchema, (notification) => ({
    head: momentOf(notification, "createdAt"),
    facts: { notification },
  })),

  ...defineEvents(
    "webhook",
    [
      "after_feed_item_sent",
      "after_feed_item_delivered",
      "after_feed_item_read",
      "after_feed_item_interacted",
    ],
    feedItemSchema,
    (feedItem, trigger) => ({
      head: deliveryHead(trigger, feedItem, feedItemTimes[trigger]),
      facts: { feedItem },
    }),
  ),

  ...defineEvents(
    "webhook",
    ["after_push_notification_sent", "after_push_notification_delivered", "after_push_notification_clicked"],
    pushSchema,
    (pushNotification, trigger) => ({
      head: deliveryHead(trigger, pushNotification, pushTimes[trigger]),
      facts: { pushNotification },
    }),
  ),
};

const feedItemTimes = {
  after_feed_item_sent: ["sentAt"],
  after_feed_item_delivered: ["deliveredAt"],
  after_feed_item_read: ["readAt"],
  /** Documented as `interactedAt`, seen live as `engagedAt`. */
  after_feed_item_interacted: ["interactedAt", "engagedAt"],
} as const;

const pushTimes = {
  after_push_notification_sent: ["sentAt", "failedAt"],
  after_push_notification_delivered: ["deliveredAt"],
  after_push_notification_clicked: ["clickedAt"],
} as const;

function momentOf<Field extends string>(
  data: { readonly [Name in Field]?: Date | undefined },
  ...fields: readonly Field[]
): HeadFacts {
  return firstMoment(Object.fromEntries(fields.map((field) => [`data.${field}`, data[field]])));
}

/** The recipient reads, clicks and interacts; the platform sends. */
function deliveryHead<Field extends string>(
  trigger: string,
  delivery: { readonly [Name in Field]?: Date | undefined } & { readonly receiver?: string | undefined },
  fields: readonly Field[],
): HeadFacts {
  const actor = /_(read|clicked|interacted)$/.test(trigger) ? delivery.receiver : undefined;
  return { ...momentOf(delivery, ...fields), actor };
}
