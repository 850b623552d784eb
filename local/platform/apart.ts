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

// Only this file imports campaigns and notifications, so that each can be removed with its folder and its
// lines here.

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

export const apartListeners = {
  messageStored: [notifyOfMessage],
  membershipChanged: [notifyOfMembership],
  reactionAdded: [notifyOfReaction],
  phoneCallSignalled: [notifyOfPhoneCall],
} as const satisfies Partial<Listeners>;

/** After a start or a restore. */
export function resumeApart(services: Services): void {
  resumeBatches(services);
}
