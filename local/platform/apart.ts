import { campaignRoutes } from "./campaigns/campaigns.ts";
import { analyticsRoutes, feedRoutes } from "./campaigns/feed.ts";
import { templateRoutes } from "./campaigns/templates.ts";
import type { AppRoute } from "./http/route.ts";
import { resumeBatches } from "./notifications/batches.ts";
import {
  notifyOfMembership,
  notifyOfMessage,
  notifyOfPhoneCall,
  notifyOfReaction,
} from "./notifications/notify.ts";
import { muteRoutes, preferenceRoutes } from "./notifications/preferences.ts";
import { notificationLogRoutes } from "./notifications/provider.ts";
import { pushProviderRoutes, singleProviderRoutes } from "./notifications/providers.ts";
import { notificationSettingRoutes } from "./notifications/settings.ts";
import { contactRoutes, pushTokenRoutes } from "./notifications/tokens.ts";
import type { Listeners, Services } from "./services/services.ts";

// The families that are complete but apart: campaigns and notifications. No other file imports them, so that
// each can be taken out by deleting its folder and its lines here.

/** Lists the routes of the families that are apart. */
export const apartRoutes: readonly AppRoute[] = [
  ...notificationSettingRoutes,
  ...pushProviderRoutes,
  ...preferenceRoutes,
  ...muteRoutes,
  ...pushTokenRoutes,
  ...contactRoutes,
  ...singleProviderRoutes,
  ...notificationLogRoutes,
  ...templateRoutes,
  ...analyticsRoutes,
  ...campaignRoutes,
  ...feedRoutes,
];

/** Lists what the families that are apart listen to. */
export const apartListeners = {
  messageStored: [notifyOfMessage],
  membershipChanged: [notifyOfMembership],
  reactionAdded: [notifyOfReaction],
  phoneCallSignalled: [notifyOfPhoneCall],
} as const satisfies Partial<Listeners>;

/** Takes up what the families that are apart left to do, after a start or a restore. */
export function resumeApart(services: Services): void {
  resumeBatches(services);
}
