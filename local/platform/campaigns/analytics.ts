import { PlatformError } from "../errors/platform-error.ts";
import { reply } from "../http/reply.ts";
import type { AppRequest, AppRoute } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { findUser } from "../store/users.ts";
import { campaignRoute, listObjects, requireObject } from "./campaign-route.ts";

const limited = { query: { limit: "integer" } } as const;
const counted = { assumptions: ["Counts the items of feeds and the push notifications, of all times."] };

/** Declares the numbers of what was sent and what became of it. */
export const analyticsRoutes: readonly AppRoute[] = [
  campaignRoute(
    "AnalyticsController_getOverview",
    "GET /campaigns/analytics/overview",
    (request) => reply(count(itemsOf(request))),
    { ...counted, input: limited },
  ),
  campaignRoute(
    "AnalyticsController_getCampaignAnalytics",
    "GET /campaigns/analytics/campaigns/{campaignId}",
    (request) => {
      const campaignId = requireObject(request, "campaign", request.param("campaignId")).id;
      return reply({ campaignId, ...count(itemsOf(request, "campaignId", campaignId)) });
    },
    { ...counted, input: limited },
  ),
  campaignRoute(
    "AnalyticsController_getTemplateAnalytics",
    "GET /campaigns/analytics/templates/{templateId}",
    (request) => {
      const templateId = requireObject(request, "template", request.param("templateId")).id;
      return reply({ templateId, ...count(itemsOf(request, "templateId", templateId)) });
    },
    { ...counted, input: limited },
  ),
  campaignRoute(
    "AnalyticsController_getChannelBreakdown",
    "GET /campaigns/analytics/channels",
    (request) => {
      const byChannel = Map.groupBy(itemsOf(request), ({ channelType }) => channelType);
      return reply([...byChannel].map(([channelType, items]) => ({ channelType, ...count(items) })));
    },
    { ...counted, input: limited },
  ),
  campaignRoute(
    "AnalyticsController_getUserInsights",
    "GET /campaigns/analytics/users/{userId}",
    (request) => {
      const items = itemsOf(request, "receiver", requireReceiver(request));
      const engaged = items.map(({ engagedAt }) => engagedAt).filter((at) => typeof at === "number");
      const { viewed, clicked, interacted } = count(items);
      return reply({
        viewed,
        clicked,
        interacted,
        lastEngagement: engaged.length === 0 ? null : Math.max(...engaged),
      });
    },
    { ...counted, input: limited },
  ),
];

function itemsOf(request: AppRequest, field?: string, value?: unknown): JsonObject[] {
  const items = [...listObjects(request, "feed-item"), ...listObjects(request, "push-notification")];
  return field === undefined ? items : items.filter((item) => item[field] === value);
}

// Receivers need not exist as users; one that is neither a user nor was ever written to is unknown (assumed).
function requireReceiver(request: AppRequest): string {
  const uid = request.param("userId");
  const isKnown = findUser(request, uid) !== undefined || itemsOf(request, "receiver", uid).length > 0;
  if (!isKnown) throw new PlatformError("ERR_NOT_FOUND", `The user ${uid} does not exist.`);
  return uid;
}

function count(items: readonly JsonObject[]) {
  const having = (field: string) => items.filter((item) => typeof item[field] === "number").length;
  return {
    sent: items.length,
    delivered: having("deliveredAt"),
    viewed: having("readAt"),
    clicked: having("clickedAt"),
    interacted: having("engagedAt"),
  };
}
