import type { KnownEvent } from "./known-event.ts";

/**
 * A campaign is complete, even without existing recipients.
 * @see docs/internals/platform/events.md#campaign-events
 */
export interface AfterCampaignCompletedEvent extends KnownEvent<"webhook", "after_campaign_completed"> {
  readonly campaign: Campaign;
}

/** A campaign failed. @see docs/internals/platform/events.md#campaign-events */
export interface AfterCampaignFailedEvent extends KnownEvent<"webhook", "after_campaign_failed"> {
  readonly campaign: Campaign;
}

/** A campaign created a notification for a user. @see docs/internals/platform/events.md#campaign-events */
export interface AfterNotificationCreatedEvent extends KnownEvent<"webhook", "after_notification_created"> {
  /** The notification, before it is sent. */
  readonly notification: CampaignNotification;
}

/** A feed item was sent. @see docs/internals/platform/events.md#feed-items-live */
export interface AfterFeedItemSentEvent extends KnownEvent<"webhook", "after_feed_item_sent"> {
  readonly feedItem: FeedItem;
}

/** A feed item arrived. @see docs/internals/platform/events.md#feed-items-live */
export interface AfterFeedItemDeliveredEvent extends KnownEvent<"webhook", "after_feed_item_delivered"> {
  readonly feedItem: FeedItem;
}

/** A feed item was read. @see docs/internals/platform/events.md#feed-items-live */
export interface AfterFeedItemReadEvent extends KnownEvent<"webhook", "after_feed_item_read"> {
  readonly feedItem: FeedItem;
}

/** A user interacted with a feed item. @see docs/internals/platform/events.md#feed-items-live */
export interface AfterFeedItemInteractedEvent extends KnownEvent<"webhook", "after_feed_item_interacted"> {
  /** `topic` names the interaction. */
  readonly feedItem: FeedItem;
}

/** The platform tried to send a push. @see docs/internals/platform/events.md#campaign-events */
export interface AfterPushNotificationSentEvent
  extends KnownEvent<"webhook", "after_push_notification_sent"> {
  readonly pushNotification: PushNotification;
}

/** A client received a push. @see docs/internals/platform/events.md#campaign-events */
export interface AfterPushNotificationDeliveredEvent
  extends KnownEvent<"webhook", "after_push_notification_delivered"> {
  readonly pushNotification: PushNotification;
}

/** A user clicked a push. @see docs/internals/platform/events.md#campaign-events */
export interface AfterPushNotificationClickedEvent
  extends KnownEvent<"webhook", "after_push_notification_clicked"> {
  readonly pushNotification: PushNotification;
}

/** A template sent to many. @see docs/internals/platform/campaigns.md#sending-campaigns */
export interface Campaign {
  readonly campaignId: string;
  readonly name?: string | undefined;
  /** `completed` (even if no recipient exists) or `failed`. */
  readonly status?: string | undefined;
  readonly templateId?: string | undefined;
  readonly templateVersion?: number | undefined;
  /** Number of recipients. */
  readonly totalTargets?: number | undefined;
  readonly sentCount?: number | undefined;
  readonly failedCount?: number | undefined;
  readonly tag?: string | undefined;
  readonly scheduledAt?: Date | undefined;
  readonly sentAt?: Date | undefined;
  readonly completedAt?: Date | undefined;
  readonly createdAt?: Date | undefined;
  readonly updatedAt?: Date | undefined;
}

/** A notification, before it becomes feed items and pushes. */
export interface CampaignNotification {
  readonly notificationId: string;
  /** Its campaign; absent for transactional sends. */
  readonly campaignId?: string | undefined;
  readonly templateId?: string | undefined;
  readonly templateVersion?: number | undefined;
  /** Such as `updates`. */
  readonly category?: string | undefined;
  /** Such as `weekly-digest`. */
  readonly label?: string | undefined;
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
  readonly totalTargets?: number | undefined;
  readonly sentCount?: number | undefined;
  readonly failedCount?: number | undefined;
  readonly createdAt?: Date | undefined;
}

/** Common fields of a feed item and a push. Times are absent until they happen. */
export interface CampaignDelivery {
  readonly notificationId?: string | undefined;
  /** Its campaign; absent for transactional sends. */
  readonly campaignId?: string | undefined;
  /** uid of the recipient. */
  readonly receiver?: string | undefined;
  readonly templateId?: string | undefined;
  readonly templateVersion?: number | undefined;
  /** `in_app` or `push`. */
  readonly channelType?: string | undefined;
  readonly channelId?: string | undefined;
  /** Such as `summer-sale`. */
  readonly label?: string | undefined;
  readonly tags?: string[] | undefined;
  /** Content as one text, for clients that cannot show the template. */
  readonly alternativeText?: string | undefined;
  /** Such as `ui_template`. */
  readonly dataType?: string | undefined;
  /** The recipient's values of the template's `{{key}}`. */
  readonly variables?: Record<string, unknown> | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
  /** Unreliable: a delivered item was `read`, an interacted one `sent`. */
  readonly status?: string | undefined;
  /** When sent; for a push, when the platform tried. */
  readonly sentAt?: Date | undefined;
  readonly deliveredAt?: Date | undefined;
  /** Interaction, as seen live. */
  readonly engagedAt?: Date | undefined;
}

/**
 * One recipient's item in the notification feed.
 * @see docs/internals/platform/campaigns.md#notification-feed
 */
export interface FeedItem extends CampaignDelivery {
  readonly id: string;
  /** Such as `promotions`. */
  readonly templateCategory?: string | undefined;
  readonly categoryId?: string | undefined;
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
  readonly pushNotificationId: string;
  /** Such as `promotions`. */
  readonly category?: string | undefined;
  readonly clickedAt?: Date | undefined;
  readonly failedAt?: Date | undefined;
  readonly errorMessage?: string | undefined;
  readonly tag?: string | undefined;
}
