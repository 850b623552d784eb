import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { anyObject, id, listOf, number, open, optional, text, time } from "./scalars.ts";
import type { FeedItem, PushNotification } from "./types/campaign-events.ts";

const family = "webhook";

const campaignSchema = open({
  campaignId: id,
  name: optional(text),
  status: optional(text),
  templateId: optional(id),
  templateVersion: optional(number),
  totalTargets: optional(number),
  sentCount: optional(number),
  failedCount: optional(number),
  tag: optional(text),
  scheduledAt: optional(time),
  sentAt: optional(time),
  completedAt: optional(time),
  createdAt: optional(time),
  updatedAt: optional(time),
});

const deliveryShape = {
  notificationId: optional(id),
  campaignId: optional(id),
  receiver: optional(id),
  templateId: optional(id),
  templateVersion: optional(number),
  channelType: optional(text),
  channelId: optional(id),
  label: optional(text),
  tags: optional(listOf(text)),
  alternativeText: optional(text),
  dataType: optional(text),
  variables: optional(anyObject),
  metadata: optional(anyObject),
  status: optional(text),
  sentAt: optional(time),
  deliveredAt: optional(time),
  engagedAt: optional(time),
};

const feedItemSchema = open({
  id,
  ...deliveryShape,
  templateCategory: optional(text),
  categoryId: optional(id),
  readAt: optional(time),
  interactedAt: optional(time),
  topic: optional(text),
  realtimeFanout: optional(listOf(text)),
  content: optional(anyObject),
});

const pushSchema = open({
  pushNotificationId: id,
  ...deliveryShape,
  category: optional(text),
  clickedAt: optional(time),
  failedAt: optional(time),
  errorMessage: optional(text),
  tag: optional(text),
});

/** Reads events of campaigns and their notifications. @see docs/internals/platform/events.md#campaign-events */
export const campaignEvents = {
  after_campaign_completed: campaignEvent("after_campaign_completed"),
  after_campaign_failed: campaignEvent("after_campaign_failed"),

  after_notification_created: defineEvent({
    family,
    trigger: "after_notification_created",
    schema: open({
      notificationId: id,
      campaignId: optional(id),
      templateId: optional(id),
      templateVersion: optional(number),
      category: optional(text),
      label: optional(text),
      tags: optional(listOf(text)),
      sendMode: optional(text),
      priority: optional(text),
      channels: optional(listOf(text)),
      dataType: optional(text),
      status: optional(text),
      totalTargets: optional(number),
      sentCount: optional(number),
      failedCount: optional(number),
      createdAt: optional(time),
    }),
    normalise: (notification) => ({
      head: firstMoment({ "data.createdAt": notification.createdAt }),
      facts: { notification },
    }),
  }),

  after_feed_item_sent: feedItemEvent("after_feed_item_sent", ({ sentAt }) => ({ "data.sentAt": sentAt })),
  after_feed_item_delivered: feedItemEvent("after_feed_item_delivered", ({ deliveredAt }) => ({
    "data.deliveredAt": deliveredAt,
  })),
  after_feed_item_read: feedItemEvent("after_feed_item_read", ({ readAt }) => ({ "data.readAt": readAt })),
  /** Documented as `interactedAt`, seen live as `engagedAt`. */
  after_feed_item_interacted: feedItemEvent("after_feed_item_interacted", ({ interactedAt, engagedAt }) => ({
    "data.interactedAt": interactedAt,
    "data.engagedAt": engagedAt,
  })),

  after_push_notification_sent: pushEvent("after_push_notification_sent", ({ sentAt, failedAt }) => ({
    "data.sentAt": sentAt,
    "data.failedAt": failedAt,
  })),
  after_push_notification_delivered: pushEvent("after_push_notification_delivered", ({ deliveredAt }) => ({
    "data.deliveredAt": deliveredAt,
  })),
  after_push_notification_clicked: pushEvent("after_push_notification_clicked", ({ clickedAt }) => ({
    "data.clickedAt": clickedAt,
  })),
};

function campaignEvent<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family,
    trigger,
    schema: campaignSchema,
    normalise: (campaign) => ({
      head: firstMoment({ "data.completedAt": campaign.completedAt }),
      facts: { campaign },
    }),
  });
}

function feedItemEvent<const Trigger extends string>(
  trigger: Trigger,
  moments: (feedItem: FeedItem) => Record<string, Date | undefined>,
) {
  return defineEvent({
    family,
    trigger,
    schema: feedItemSchema,
    normalise: (feedItem) => ({
      head: { ...firstMoment(moments(feedItem)), actor: recipientWhoActed(trigger, feedItem.receiver) },
      facts: { feedItem },
    }),
  });
}

function pushEvent<const Trigger extends string>(
  trigger: Trigger,
  moments: (pushNotification: PushNotification) => Record<string, Date | undefined>,
) {
  return defineEvent({
    family,
    trigger,
    schema: pushSchema,
    normalise: (pushNotification) => ({
      head: {
        ...firstMoment(moments(pushNotification)),
        actor: recipientWhoActed(trigger, pushNotification.receiver),
      },
      facts: { pushNotification },
    }),
  });
}

/** The recipient reads, clicks and interacts; the platform sends. */
function recipientWhoActed(trigger: string, receiver: string | undefined): string | undefined {
  return /_(read|clicked|interacted)$/.test(trigger) ? receiver : undefined;
}
