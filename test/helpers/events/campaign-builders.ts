import { currentCall, defaultTime, type Envelope } from "./body.ts";

type CampaignFacts = { campaignId?: string /** In seconds. */; at?: number };
type DeliveryFacts = { id?: string; receiver?: string; campaignId?: string /** In seconds. */; at?: number };

/** Builds the bodies of campaigns and of what they send. */
export const campaignBuilders = {
  campaignCompleted: (facts: CampaignFacts = {}, envelope?: Envelope) =>
    currentCall("after_campaign_completed", campaignBody("completed", facts), envelope),

  campaignFailed: (facts: CampaignFacts = {}, envelope?: Envelope) =>
    currentCall("after_campaign_failed", campaignBody("failed", facts), envelope),

  notificationCreated: (facts: CampaignFacts & { notificationId?: string } = {}, envelope?: Envelope) => {
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

  feedItemSent: (facts: DeliveryFacts = {}, envelope?: Envelope) =>
    currentCall("after_feed_item_sent", feedItemBody(facts, { status: "sent" }, "sentAt"), envelope),

  feedItemDelivered: (facts: DeliveryFacts = {}, envelope?: Envelope) =>
    currentCall(
      "after_feed_item_delivered",
      feedItemBody(facts, { status: "delivered" }, "deliveredAt"),
      envelope,
    ),

  feedItemRead: (facts: DeliveryFacts = {}, envelope?: Envelope) =>
    currentCall("after_feed_item_read", feedItemBody(facts, { status: "read" }, "readAt"), envelope),

  feedItemInteracted: (facts: DeliveryFacts & { topic?: string } = {}, envelope?: Envelope) => {
    const { topic = "open-offer" } = facts;
    const data = feedItemBody(facts, { status: "sent", topic }, "engagedAt");
    return currentCall("after_feed_item_interacted", data, envelope);
  },

  pushNotificationSent: (facts: DeliveryFacts = {}, envelope?: Envelope) =>
    currentCall("after_push_notification_sent", pushBody(facts, "sent", "sentAt"), envelope),

  pushNotificationDelivered: (facts: DeliveryFacts = {}, envelope?: Envelope) =>
    currentCall("after_push_notification_delivered", pushBody(facts, "delivered", "deliveredAt"), envelope),

  pushNotificationClicked: (facts: DeliveryFacts = {}, envelope?: Envelope) =>
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

function deliveryBody({ receiver = "ann", campaignId = "campaign-1" }: DeliveryFacts) {
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

function feedItemBody(facts: DeliveryFacts, more: Record<string, unknown>, timeField: string) {
  const { id = "feed-item-1", at = defaultTime } = facts;
  return { id, ...deliveryBody(facts), channelType: "in_app", readAt: null, ...more, [timeField]: at };
}

function pushBody(facts: DeliveryFacts, status: string, timeField: string) {
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
