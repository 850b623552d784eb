/** What a builder lets its caller choose of a campaign. */
export interface CampaignFacts {
  /** Default: `campaign-1`. */
  campaignId?: string;
  /** In seconds since 1970. */
  at?: number;
}

/** What can be chosen of a campaign's notification. */
export interface CampaignNotificationFacts extends CampaignFacts {
  /** Default: `notification-1`. */
  notificationId?: string;
}

/** What can be chosen of one recipient's feed item or push. */
export interface CampaignDeliveryFacts {
  /** Of the feed item or the push. */
  id?: string;
  /** The uid of who gets it. Default: `ann`. */
  receiver?: string;
  /** Default: `campaign-1`. */
  campaignId?: string;
  /** In seconds since 1970: when what the event tells happened. */
  at?: number;
}

/** What can be chosen of a feed item that its recipient used. */
export interface FeedItemInteractionFacts extends CampaignDeliveryFacts {
  /** What was done. Default: `open-offer`. */
  topic?: string;
}
