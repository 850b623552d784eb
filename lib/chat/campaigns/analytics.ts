import * as z from "zod/mini";
import { maybeNumber, undocumented } from "../answers.ts";
import type { Family } from "../operation.ts";
import { analyticsQuery } from "./campaign-input.ts";

/**
 * Results of campaigns; dates as ISO 8601, `limit` default 50. See
 * docs/internals/platform/campaigns.md#analytics.
 * @example
 * const { viewed, clicked } = await chat.analytics.user("alice");
 * console.log(`Alice has seen ${viewed} and followed ${clicked}.`);
 * console.log(await chat.analytics.overview()); // its shape is not documented
 */
export const analytics = {
  /** Reads the overview. */
  overview: {
    id: "AnalyticsController_getOverview",
    documented: "none",
    request: "GET /campaigns/analytics/overview",
    input: analyticsQuery,
    answer: undocumented,
  },
  /** Reads the results of one campaign. */
  campaign: {
    id: "AnalyticsController_getCampaignAnalytics",
    documented: "none",
    request: "GET /campaigns/analytics/campaigns/{campaignId}",
    input: analyticsQuery,
    answer: undocumented,
  },
  /** Reads the results of one template. */
  template: {
    id: "AnalyticsController_getTemplateAnalytics",
    documented: "none",
    request: "GET /campaigns/analytics/templates/{templateId}",
    input: analyticsQuery,
    answer: undocumented,
  },
  /** Reads the results of the channels. */
  channels: {
    id: "AnalyticsController_getChannelBreakdown",
    documented: "none",
    request: "GET /campaigns/analytics/channels",
    input: analyticsQuery,
    answer: undocumented,
  },
  /** Reads the activity of one user. */
  user: {
    id: "AnalyticsController_getUserInsights",
    request: "GET /campaigns/analytics/users/{userId}",
    input: analyticsQuery,
    answer: () =>
      z.looseObject({
        viewed: maybeNumber(),
        clicked: maybeNumber(),
        interacted: maybeNumber(),
        lastEngagement: maybeNumber(),
      }),
  },
} as const satisfies Family;
