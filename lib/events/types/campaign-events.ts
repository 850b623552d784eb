import type { KnownEvent } from "./known-event.ts";

/**
 * A campaign is complete, even without existing recipients.
 * @see docs/internals/platform/events.md#campaign-events
 */
export interface AfterCampaignCompletedEvent extends KnownEvent<"webhook", "after_campaign_completed"> {
  /** The campaign, with its results. */
  readonly campaign: Campaign;
}

/** A campaign failed. @see docs/internals/platform/events.md#campaign-events */
export interface AfterCampaignFailedEvent extends KnownEvent<"webhook", "after_campaign_failed"> {
  /** The campaign, with its results. */
  readonly campaign: Campaign;
}

/** A campaign created a notification for a user. @see docs/internals/platform/events.md#campaign-events */
export interface AfterNotificationCreatedEvent extends KnownEvent<"webhook", "after_notification_created"> {
  /** The notification, before it is sent. */
  readonly notification: CampaignNotification;
}

/** A feed item was sent. @see docs/internals/platform/events.md#feed-items-live */
export interface AfterFeedItemSentEvent extends KnownEvent<"webhook", "after_feed_item_sent"> {
  /** The feed item of one recipient. */
  readonly feedItem: FeedItem;
}

/** A feed item arrived. @see docs/internals/platform/events.md#feed-items-live */
export interface AfterFeedItemDeliveredEvent extends KnownEvent<"webhook", "after_feed_item_delivered"> {
  /** The feed item of one recipient. */
  readonly feedItem: FeedItem;
}

/** A feed item was read. @see docs/internals/platform/events.md#feed-items-live */
export interface AfterFeedItemReadEvent extends KnownEvent<"webhook", "after_feed_item_read"> {
  /** The feed item of one recipient. */
  readonly feedItem: FeedItem;
}

/** A user interacted with a feed item. @see docs/internals/platform/events.md#feed-items-live */
export interface AfterFeedItemInteractedEvent extends KnownEvent<"webhook", "after_feed_item_interacted"> {
  /** The feed item of one recipient; `topic` names the interaction. */
  readonly feedItem: FeedItem;
}

/** The platform tried to send a push. @see docs/internals/platform/events.md#campaign-events */
export interface AfterPushNotificationSentEvent
  extends KnownEvent<"webhook", "after_push_notification_sent"> {
  /** The push of one recipient. */
  readonly pushNotification: PushNotification;
}

/** A client received a push. @see docs/internals/platform/events.md#campaign-events */
export interface AfterPushNotificationDeliveredEvent
  extends KnownEvent<"webhook", "after_push_notification_delivered"> {
  /** The push of one recipient. */
  readonly pushNotification: PushNotification;
}

/** A user clicked a push. @see docs/internals/platform/events.md#campaign-events */
export interface AfterPushNotificationClickedEvent
  extends KnownEvent<"webhook", "after_push_notification_clicked"> {
  /** The push of one recipient. */
  readonly pushNotification: PushNotification;
}

/** A template sent to many. @see docs/internals/platform/campaigns.md#sending-campaigns */
export interface Campaign {
  /** The campaign's id. */
  readonly campaignId: string;
  /** The campaign's name. */
  readonly name?: string | undefined;
  /** `completed` (even if no recipient exists) or `failed`. */
  readonly status?: string | undefined;
  /** Its template's id. */
  readonly templateId?: string | undefined;
  /** The template's version. */
  readonly templateVersion?: number | undefined;
  /** Number of recipients. */
  readonly totalTargets?: number | undefined;
  /** Number sent. */
  readonly sentCount?: number | undefined;
  /** Number failed. */
  readonly failedCount?: number | undefined;
  /** Your own labels. */
  readonly tag?: string | undefined;
  /** When it was scheduled to be sent. */
  readonly scheduledAt?: Date | undefined;
  /** When sent. */
  readonly sentAt?: Date | undefined;
  /** When completed. */
  readonly completedAt?: Date | undefined;
  /** When created. */
  readonly createdAt?: Date | undefined;
  /** When last changed. */
  readonly updatedAt?: Date | undefined;
}

/** A notification, before it becomes feed items and pushes. */
export interface CampaignNotification {
  /** The notification's id. */
  readonly notificationId: string;
  /** Its campaign; absent for transactional sends. */
  readonly campaignId?: string | undefined;
  /** Its template's id. */
  readonly templateId?: string | undefined;
  /** The template's version. */
  readonly templateVersion?: number | undefined;
  /** Such as `updates`. */
  readonly category?: string | undefined;
  /** Such as `weekly-digest`. */
  readonly label?: string | undefined;
  /** Your own labels. */
  readonly tags?: string[] | undefined;
  /** Such as `realtime`. */
  readonly sendMode?: string | undefined;
  /** Such as `normal`. */
  readonly priority?: string | undefined;
  /** Such as `in_app`. */
  readonly channels?: string[] | undefined;
  /** Such as `ui_template`. */
  readonly dataType?: string | undefined;
  /** Such as `dispatching`. */
  readonly status?: string | undefined;
  /** Number of recipients. */
  readonly totalTargets?: number | undefined;
  /** Number sent so far. */
  readonly sentCount?: number | undefined;
  /** Number failed so far. */
  readonly failedCount?: number | undefined;
  /** When created. */
  readonly createdAt?: Date | undefined;
}

/** Common fields of a feed item and a push. Times are absent until they happen. */
export interface CampaignDelivery {
  /** The notification that it belongs to. */
  readonly notificationId?: string | undefined;
  /** Its campaign; absent for transactional sends. */
  readonly campaignId?: string | undefined;
  /** uid of the recipient. */
  readonly receiver?: string | undefined;
  /** Its template's id. */
  readonly templateId?: string | undefined;
  /** The template's version. */
  readonly templateVersion?: number | undefined;
  /** `in_app` or `push`. */
  readonly channelType?: string | undefined;
  /** Id of the channel. */
  readonly channelId?: string | undefined;
  /** Such as `summer-sale`. */
  readonly label?: string | undefined;
  /** Your own labels. */
  readonly tags?: string[] | undefined;
  /** Content as one text, for clients that cannot show the template. */
  readonly alternativeText?: string | undefined;
  /** Such as `ui_template`. */
  readonly dataType?: string | undefined;
  /** The recipient's values of the template's `{{key}}`. */
  readonly variables?: Record<string, unknown> | undefined;
  /** Your own data. */
  readonly metadata?: Record<string, unknown> | undefined;
  /** Unreliable: a delivered item was `read`, an interacted one `sent`. */
  readonly status?: string | undefined;
  /** When sent; for a push, when the platform tried. */
  readonly sentAt?: Date | undefined;
  /** When a client received it. */
  readonly deliveredAt?: Date | undefined;
  /** Interaction, as seen live. */
  readonly engagedAt?: Date | undefined;
}

/**
 * One recipient's item in the notification feed.
 * @see docs/internals/platform/campaigns.md#notification-feed
 */
export interface FeedItem extends CampaignDelivery {
  /** The item's id. */
  readonly id: string;
  /** Such as `promotions`. */
  readonly templateCategory?: string | undefined;
  /** Id of the template's category. */
  readonly categoryId?: string | undefined;
  /** When the recipient read it. */
  readonly readAt?: Date | undefined;
  /** Interaction, as documented; live: `engagedAt`. */
  readonly interactedAt?: Date | undefined;
  /** The interaction's name. */
  readonly topic?: string | undefined;
  /** Such as `websocket`. */
  readonly realtimeFanout?: string[] | undefined;
  /** A tree of elements of the template. */
  readonly content?: Record<string, unknown> | undefined;
}

/** One recipient's push of a campaign. @see docs/internals/platform/campaigns.md#push-notifications */
export interface PushNotification extends CampaignDelivery {
  /** The push's id. */
  readonly pushNotificationId: string;
  /** Such as `promotions`. */
  readonly category?: string | undefined;
  /** When the recipient clicked it. */
  readonly clickedAt?: Date | undefined;
  /** When it failed. */
  readonly failedAt?: Date | undefined;
  /** Why it failed, in words. */
  readonly errorMessage?: string | undefined;
  /** Your own labels. */
  readonly tag?: string | undefined;
}
