import { currentCall, defaultTime, type EventBody, type EventEnvelope } from "./body.ts";
import type {
  CampaignDeliveryFacts,
  CampaignFacts,
  CampaignNotificationFacts,
  FeedItemInteractionFacts,
} from "./campaign-facts.ts";

/** Builds the bodies of campaigns and their notifications. */
export const campaignBuilders = {
  /** Builds the body of `after_campaign_completed`. */
  campaignCompleted: (facts: CampaignFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("after_campaign_completed", campaignBody("completed", facts), envelope),

  /** Builds the body of `after_campaign_failed`. */
  campaignFailed: (facts: CampaignFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("after_campaign_failed", campaignBody("failed", facts), envelope),

  /** Builds the body of `after_notification_created`. */
  notificationCreated: (facts: CampaignNotificationFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { notificationId = "notification-1", campaignId = "campaign-1", at = defaultTime } = facts;
    const data = {
      notificationId,
      campaignId,
      appId: "app-1",
      templateId: "template-1",
      templateVersion: 1,
      sendMode: "realtime",
      channels: ["in_app"],
      status: "dispatching",
      totalTargets: 3,
      sentCount: 0,
      failedCount: 0,
      createdAt: at,
    };
    return currentCall("after_notification_created", data, envelope);
  },

  /** Builds the body of `after_feed_item_sent`. */
  feedItemSent: (facts: CampaignDeliveryFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("after_feed_item_sent", feedItemBody(facts, { status: "sent" }, "sentAt"), envelope),

  /** Builds the body of `after_feed_item_delivered`. */
  feedItemDelivered: (facts: CampaignDeliveryFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall(
      "after_feed_item_delivered",
      feedItemBody(facts, { status: "delivered" }, "deliveredAt"),
      envelope,
    ),

  /** Builds the body of `after_feed_item_read`. */
  feedItemRead: (facts: CampaignDeliveryFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("after_feed_item_read", feedItemBody(facts, { status: "read" }, "readAt"), envelope),

  /** Builds the body of `after_feed_item_interacted`. */
  feedItemInteracted: (facts: FeedItemInteractionFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { topic = "open-offer" } = facts;
    const data = feedItemBody(facts, { status: "sent", topic }, "engagedAt");
    return currentCall("after_feed_item_interacted", data, envelope);
  },

  /** Builds the body of `after_push_notification_sent`. */
  pushNotificationSent: (facts: CampaignDeliveryFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("after_push_notification_sent", pushBody(facts, "sent", "sentAt"), envelope),

  /** Builds the body of `after_push_notification_delivered`. */
  pushNotificationDelivered: (facts: CampaignDeliveryFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("after_push_notification_delivered", pushBody(facts, "delivered", "deliveredAt"), envelope),

  /** Builds the body of `after_push_notification_clicked`. */
  pushNotificationClicked: (facts: CampaignDeliveryFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("after_push_notification_clicked", pushBody(facts, "clicked", "clickedAt"), envelope),
};

function campaignBody(status: string, { campaignId = "campaign-1", at = defaultTime }: CampaignFacts) {
  return {
    campaignId,
    appId: "app-1",
    name: "Spring tournament",
    status,
    templateId: "template-1",
    templateVersion: 1,
    totalTargets: 3,
    sentCount: status === "completed" ? 3 : 0,
    failedCount: status === "completed" ? 0 : 3,
    sentAt: at - 60,
    completedAt: at,
    createdAt: at - 3600,
    updatedAt: at,
  };
}

function deliveryBody({ receiver = "ann", campaignId = "campaign-1" }: CampaignDeliveryFacts) {
  return {
    appId: "app-1",
    notificationId: "notification-1",
    campaignId,
    receiver,
    templateId: "template-1",
    templateVersion: 1,
    alternativeText: "The spring tournament is open",
    dataType: "ui_template",
    sentAt: defaultTime,
    deliveredAt: null,
    engagedAt: null,
  };
}

function feedItemBody(facts: CampaignDeliveryFacts, more: Record<string, unknown>, timeField: string) {
  const { id = "feed-item-1", at = defaultTime } = facts;
  return { id, ...deliveryBody(facts), channelType: "in_app", readAt: null, ...more, [timeField]: at };
}

function pushBody(facts: CampaignDeliveryFacts, status: string, timeField: string) {
  const { id: pushNotificationId = "push-1", at = defaultTime } = facts;
  const notYet = { clickedAt: null, failedAt: null, errorMessage: null };
  return {
    pushNotificationId,
    ...deliveryBody(facts),
    channelType: "push",
    status,
    ...notYet,
    [timeField]: at,
  };
}
