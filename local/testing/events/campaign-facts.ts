/** The options of a campaign. */
export interface CampaignFacts {
  /** Default: `campaign-1`. */
  campaignId?: string;
  /** Seconds since 1970. */
  at?: number;
}

/** The options of a campaign's notification. */
export interface CampaignNotificationFacts extends CampaignFacts {
  /** Default: `notification-1`. */
  notificationId?: string;
}

/** The options of one recipient's feed item or push. */
export interface CampaignDeliveryFacts {
  /** The id of the feed item or push. */
  id?: string;
  /** The recipient's uid. Default: `ann`. */
  receiver?: string;
  /** Default: `campaign-1`. */
  campaignId?: string;
  /** When it happened, in seconds since 1970. */
  at?: number;
}

/** The options of a recipient's interaction with a feed item. */
export interface FeedItemInteractionFacts extends CampaignDeliveryFacts {
  /** The interaction. Default: `open-offer`. */
  topic?: string;
}
