import { current, defaultTime } from "./body.ts";
import type {
  CampaignDeliveryFacts,
  CampaignFacts,
  CampaignNotificationFacts,
  FeedItemInteractionFacts,
} from "./campaign-facts.ts";

/** Builds the bodies of campaigns and their notifications. */
export const campaignBuilders = {
  /** Builds `after_campaign_completed`. */
  campaignCompleted: campaign("completed", 3),
  /** Builds `after_campaign_failed`. */
  campaignFailed: campaign("failed", 0),
  /** Builds `after_notification_created`. */
  notificationCreated: current("after_notification_created", (facts: CampaignNotificationFacts) => {
    const {
      notificationId = "notification-1",
      campaignId = "campaign-1",
      at: createdAt = defaultTime,
    } = facts;
    return {
      notificationId,
      campaignId,
      ...template,
      sendMode: "realtime",
      channels: ["in_app"],
      status: "dispatching",
      totalTargets: 3,
      sentCount: 0,
      failedCount: 0,
      createdAt,
    };
  }),
  /** Builds `after_feed_item_sent`. */
  feedItemSent: feedItem("sent", "sentAt"),
  /** Builds `after_feed_item_delivered`. */
  feedItemDelivered: feedItem("delivered", "deliveredAt"),
  /** Builds `after_feed_item_read`. */
  feedItemRead: feedItem("read", "readAt"),
  /** Builds `after_feed_item_interacted`. */
  feedItemInteracted: current("after_feed_item_interacted", (facts: FeedItemInteractionFacts) => ({
    ...feedItemBody(facts, "sent", "engagedAt"),
    topic: facts.topic ?? "open-offer",
  })),
  /** Builds `after_push_notification_sent`. */
  pushNotificationSent: push("sent", "sentAt"),
  /** Builds `after_push_notification_delivered`. */
  pushNotificationDelivered: push("delivered", "deliveredAt"),
  /** Builds `after_push_notification_clicked`. */
  pushNotificationClicked: push("clicked", "clickedAt"),
};

const template = { appId: "app-1", templateId: "template-1", templateVersion: 1 };

function campaign(status: "completed" | "failed", sentCount: number) {
  return current(`after_campaign_${status}`, (facts: CampaignFacts) => {
    const { campaignId = "campaign-1", at = defaultTime } = facts;
    return {
      campaignId,
      ...template,
      name: "Spring tournament",
      status,
      totalTargets: 3,
      sentCount,
      failedCount: 3 - sentCount,
      sentAt: at - 60,
      completedAt: at,
      createdAt: at - 3600,
      updatedAt: at,
    };
  });
}

function feedItem(status: string, timeField: string) {
  return current(`after_feed_item_${status}`, (facts: CampaignDeliveryFacts) =>
    feedItemBody(facts, status, timeField),
  );
}

function feedItemBody(facts: CampaignDeliveryFacts, status: string, timeField: string) {
  const { id = "feed-item-1", at = defaultTime } = facts;
  return { id, ...deliveryBody(facts), channelType: "in_app", readAt: null, status, [timeField]: at };
}

function push(status: string, timeField: string) {
  return current(`after_push_notification_${status}`, (facts: CampaignDeliveryFacts) => {
    const { id: pushNotificationId = "push-1", at = defaultTime } = facts;
    return {
      pushNotificationId,
      ...deliveryBody(facts),
      channelType: "push",
      status,
      clickedAt: null,
      failedAt: null,
      errorMessage: null,
      [timeField]: at,
    };
  });
}

function deliveryBody({ receiver = "ann", campaignId = "campaign-1" }: CampaignDeliveryFacts) {
  return {
    notificationId: "notification-1",
    campaignId,
    receiver,
    ...template,
    alternativeText: "The spring tournament is open",
    dataType: "ui_template",
    sentAt: defaultTime,
    deliveredAt: null,
    engagedAt: null,
  };
}
