import { analyticsRoutes } from "./campaigns/analytics.ts";
import { campaignRoutes } from "./campaigns/campaigns.ts";
import { feedRoutes } from "./campaigns/feed.ts";
import { templateRoutes } from "./campaigns/templates.ts";
import type { AppRoute } from "./http/route.ts";
import { resumeBatches } from "./notifications/batches.ts";
import { notificationRoutes } from "./notifications/notifications.ts";
import {
  notifyOfMembership,
  notifyOfMessage,
  notifyOfPhoneCall,
  notifyOfReaction,
} from "./notifications/notify.ts";
import type { Listeners, Services } from "./services/services.ts";

// The families that are complete but apart: campaigns and notifications. No other file imports them, so that each can
// be taken out by deleting its folder and its lines here.

/** Lists the routes of the families that are apart. */
export const apartRoutes: readonly AppRoute[] = [
  ...notificationRoutes,
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
