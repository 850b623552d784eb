import type { KnownEvent } from "./known-event.ts";

/**
 * A campaign is complete, even if none of its recipients exists.
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
  /** `completed` or `failed`; also `completed` if no recipient exists. */
  readonly status?: string | undefined;
  /** The id of its template. */
  readonly templateId?: string | undefined;
  /** Which version of the template. */
  readonly templateVersion?: number | undefined;
  /** How many recipients it was for. */
  readonly totalTargets?: number | undefined;
  /** How many it was sent to. */
  readonly sentCount?: number | undefined;
  /** For how many it failed. */
  readonly failedCount?: number | undefined;
  /** Your own label of the campaign. */
  readonly tag?: string | undefined;
  /** When it was scheduled to be sent. */
  readonly scheduledAt?: Date | undefined;
  /** When it was sent. */
  readonly sentAt?: Date | undefined;
  /** When it was complete. */
  readonly completedAt?: Date | undefined;
  /** When it was created. */
  readonly createdAt?: Date | undefined;
  /** When it last changed. */
  readonly updatedAt?: Date | undefined;
}

/** A notification, before it becomes feed items and pushes. */
export interface CampaignNotification {
  /** The notification's id. */
  readonly notificationId: string;
  /** The campaign that it belongs to; absent for transactional sends. */
  readonly campaignId?: string | undefined;
  /** The id of its template. */
  readonly templateId?: string | undefined;
  /** Which version of the template. */
  readonly templateVersion?: number | undefined;
  /** The template's category, such as `updates`. */
  readonly category?: string | undefined;
  /** Your own label, such as `weekly-digest`. */
  readonly label?: string | undefined;
  /** Your own labels of the notification. */
  readonly tags?: string[] | undefined;
  /** How it is sent, such as `realtime`. */
  readonly sendMode?: string | undefined;
  /** How urgent it is, such as `normal`. */
  readonly priority?: string | undefined;
  /** The kinds of channels, such as `in_app`. */
  readonly channels?: string[] | undefined;
  /** What kind of content it has, such as `ui_template`. */
  readonly dataType?: string | undefined;
  /** Its progress, such as `dispatching`. */
  readonly status?: string | undefined;
  /** How many recipients it is for. */
  readonly totalTargets?: number | undefined;
  /** How many it was sent to so far. */
  readonly sentCount?: number | undefined;
  /** For how many it failed so far. */
  readonly failedCount?: number | undefined;
  /** When it was created. */
  readonly createdAt?: Date | undefined;
}

/** The common fields of a campaign's feed item and push. Times are absent until they happen. */
export interface CampaignDelivery {
  /** The notification that it belongs to. */
  readonly notificationId?: string | undefined;
  /** The campaign that it belongs to; absent for transactional sends. */
  readonly campaignId?: string | undefined;
  /** The uid of the recipient. */
  readonly receiver?: string | undefined;
  /** The id of its template. */
  readonly templateId?: string | undefined;
  /** Which version of the template. */
  readonly templateVersion?: number | undefined;
  /** `in_app` or `push`. */
  readonly channelType?: string | undefined;
  /** The id of the channel. */
  readonly channelId?: string | undefined;
  /** Your own label, such as `summer-sale`. */
  readonly label?: string | undefined;
  /** Your own labels of the notification. */
  readonly tags?: string[] | undefined;
  /** Its content as one text, for clients that cannot show the template. */
  readonly alternativeText?: string | undefined;
  /** What kind of content it has, such as `ui_template`. */
  readonly dataType?: string | undefined;
  /** The values of the template's `{{key}}` for this recipient. */
  readonly variables?: Record<string, unknown> | undefined;
  /** Your own data of the notification. */
  readonly metadata?: Record<string, unknown> | undefined;
  /** Unreliable: a delivered item was seen as `read`, an interacted one as `sent`. */
  readonly status?: string | undefined;
  /** When it was sent; for a push, when the platform tried to send it. */
  readonly sentAt?: Date | undefined;
  /** When a client received it. */
  readonly deliveredAt?: Date | undefined;
  /** When the recipient interacted with it, as seen live. */
  readonly engagedAt?: Date | undefined;
}

/**
 * One recipient's item in the notification feed.
 * @see docs/internals/platform/campaigns.md#notification-feed
 */
export interface FeedItem extends CampaignDelivery {
  /** The item's id. */
  readonly id: string;
  /** The template's category, such as `promotions`. */
  readonly templateCategory?: string | undefined;
  /** The id of the template's category. */
  readonly categoryId?: string | undefined;
  /** When the recipient read it. */
  readonly readAt?: Date | undefined;
  /** When the recipient interacted with it, as documented; seen live as `engagedAt`. */
  readonly interactedAt?: Date | undefined;
  /** The name of the interaction. */
  readonly topic?: string | undefined;
  /** How clients are notified, such as `websocket`. */
  readonly realtimeFanout?: string[] | undefined;
  /** A tree of elements of the template. */
  readonly content?: Record<string, unknown> | undefined;
}

/** One recipient's push of a campaign. @see docs/internals/platform/campaigns.md#push-notifications */
export interface PushNotification extends CampaignDelivery {
  /** The push's id. */
  readonly pushNotificationId: string;
  /** The template's category, such as `promotions`. */
  readonly category?: string | undefined;
  /** When the recipient clicked it. */
  readonly clickedAt?: Date | undefined;
  /** When it failed. */
  readonly failedAt?: Date | undefined;
  /** Why it failed, in words. */
  readonly errorMessage?: string | undefined;
  /** Your own label of the campaign. */
  readonly tag?: string | undefined;
}
