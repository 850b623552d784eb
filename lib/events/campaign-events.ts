import * as z from "zod/mini";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { anyObject, decoration, id, number, open, seconds, text } from "./scalars.ts";

const family = "webhook";

const campaignSchema = open({
  campaignId: id,
  name: decoration(text),
  /** `completed` or `failed`; completed also where no recipient exists. */
  status: z.optional(text),
  templateId: decoration(id),
  templateVersion: decoration(number),
  totalTargets: z.optional(number),
  sentCount: z.optional(number),
  failedCount: z.optional(number),
  tag: decoration(text),
  scheduledAt: z.optional(seconds),
  sentAt: z.optional(seconds),
  completedAt: z.optional(seconds),
  createdAt: z.optional(seconds),
  updatedAt: z.optional(seconds),
});

const deliveryShape = {
  notificationId: z.optional(id),
  /** Absent for transactional sends. */
  campaignId: z.optional(id),
  /** A uid. */
  receiver: z.optional(id),
  templateId: decoration(id),
  templateVersion: decoration(number),
  channelType: decoration(text),
  channelId: decoration(id),
  label: decoration(text),
  tags: decoration(z.array(text)),
  alternativeText: decoration(text),
  dataType: decoration(text),
  variables: decoration(anyObject),
  metadata: decoration(anyObject),
  /** Not to be relied on: a delivered item was seen as `read`, an interacted one as `sent`. */
  status: z.optional(text),
  sentAt: z.optional(seconds),
  deliveredAt: z.optional(seconds),
  engagedAt: z.optional(seconds),
};

const feedItemSchema = open({
  id,
  ...deliveryShape,
  templateCategory: decoration(text),
  categoryId: decoration(id),
  readAt: z.optional(seconds),
  interactedAt: z.optional(seconds),
  /** The name of the interaction. */
  topic: decoration(text),
  realtimeFanout: decoration(z.array(text)),
  /** A tree of elements of the template. */
  content: decoration(anyObject),
});
type FeedItem = z.output<typeof feedItemSchema>;

const pushSchema = open({
  pushNotificationId: id,
  ...deliveryShape,
  category: decoration(text),
  clickedAt: z.optional(seconds),
  failedAt: z.optional(seconds),
  errorMessage: decoration(text),
  tag: decoration(text),
});
type PushNotification = z.output<typeof pushSchema>;

/** Reads campaigns and what they send. @see docs/platform/events.md#campaign-events */
export const campaignEvents = {
  after_campaign_completed: campaignEvent("after_campaign_completed"),
  after_campaign_failed: campaignEvent("after_campaign_failed"),

  after_notification_created: defineEvent({
    family,
    trigger: "after_notification_created",
    schema: open({
      notificationId: id,
      campaignId: z.optional(id),
      templateId: decoration(id),
      templateVersion: decoration(number),
      category: decoration(text),
      label: decoration(text),
      tags: decoration(z.array(text)),
      sendMode: decoration(text),
      priority: decoration(text),
      channels: decoration(z.array(text)),
      dataType: decoration(text),
      status: z.optional(text),
      totalTargets: z.optional(number),
      sentCount: z.optional(number),
      failedCount: z.optional(number),
      createdAt: z.optional(seconds),
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
  /** Documented is `interactedAt`, seen live `engagedAt`. */
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
      head: firstMoment({ "data.completedAt": campaign.completedAt, "data.updatedAt": campaign.updatedAt }),
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

/** Reading, clicking and interacting is done by the recipient; sending by the platform. */
function recipientWhoActed(trigger: string, receiver: string | undefined): string | undefined {
  return /_(read|clicked|interacted)$/.test(trigger) ? receiver : undefined;
}
