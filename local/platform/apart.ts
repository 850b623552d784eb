import type { Hono } from "hono";
import { agentRoutes } from "./agents/agents.ts";
import { addAgentUploads, knowledgeRoutes } from "./agents/knowledge.ts";
import { plainRoutes } from "./agents/plain-families.ts";
import { resumeRuns, startRun } from "./agents/runs.ts";
import { addAgentScripts, type AgentScript as Script, scriptAgent } from "./agents/script.ts";
import {
  type AgentSeed,
  type ApiToolSeed,
  agentSeedShape,
  seedAgent,
  seedApiTool,
} from "./agents/seed-agent.ts";
import { websiteRoutes } from "./agents/websites.ts";
import { campaignRoutes } from "./campaigns/campaigns.ts";
import { feedRoutes } from "./campaigns/feed.ts";
import { templateRoutes } from "./campaigns/templates.ts";
import type { AppRoute } from "./http/route.ts";
import {
  notifyOfMembership,
  notifyOfMessage,
  notifyOfPhoneCall,
  notifyOfReaction,
  resumeBatches,
} from "./notifications/notify.ts";
import { preferenceRoutes } from "./notifications/preferences.ts";
import { notificationLogRoutes } from "./notifications/provider.ts";
import { pushProviderRoutes, singleProviderRoutes } from "./notifications/providers.ts";
import { notificationSettingRoutes } from "./notifications/settings.ts";
import { tokenRoutes } from "./notifications/tokens.ts";
import type { AppServices, Listeners, Services } from "./services/services.ts";

// Only this file imports agents, campaigns and notifications, so that each can be removed.

export const apartRoutes: readonly AppRoute[] = [
  ...notificationSettingRoutes,
  ...pushProviderRoutes,
  ...preferenceRoutes,
  ...tokenRoutes,
  ...singleProviderRoutes,
  ...notificationLogRoutes,
  ...templateRoutes,
  ...campaignRoutes,
  ...feedRoutes,
  ...plainRoutes,
  ...agentRoutes,
  ...knowledgeRoutes,
  ...websiteRoutes,
];

export const apartListeners = {
  messageStored: [notifyOfMessage, startRun],
  membershipChanged: [notifyOfMembership],
  reactionAdded: [notifyOfReaction],
  phoneCallSignalled: [notifyOfPhoneCall],
} as const satisfies Partial<Listeners>;

export function addApartPages(app: Hono, services: Services): void {
  addAgentUploads(app, services);
  addAgentScripts(app, services);
}

/** The agents and tools in an app's seed. */
export type ApartSeed = { agents?: readonly AgentSeed[]; apiTools?: readonly ApiToolSeed[] };

export const apartSeedShape = agentSeedShape;

export type AgentScript = Script;

export const apartControls = { scriptAgent };

export function seedApart(services: AppServices, { agents = [], apiTools = [] }: ApartSeed): void {
  for (const tool of apiTools) seedApiTool(services, tool);
  for (const agent of agents) seedAgent(services, agent);
}

export function resumeApart(services: Services): void {
  resumeBatches(services);
  resumeRuns(services);
}
