import { agentKnowledge, agentTexts } from "./agents/agent-knowledge.ts";
import { agentActions, agentApiTools } from "./agents/agent-parts.ts";
import { agentMcpServers, agentVariables } from "./agents/agent-variables.ts";
import { agentWebsites } from "./agents/agent-websites.ts";
import { agents, agentTools } from "./agents/agents.ts";
import { byoAgents, byoTools } from "./agents/byo-agents.ts";
import { analytics, campaignNotifications, campaigns } from "./campaigns/campaigns.ts";
import { notificationFeed, pushNotifications } from "./campaigns/notification-feed.ts";
import { channels, templateCategories, templates } from "./campaigns/templates.ts";
import {
  type ChatClientBase,
  type ChatClientOptions,
  checkChatClientOptions,
  composeChatClient,
} from "./compose.ts";
import { notificationLogs } from "./notifications/logs.ts";
import {
  contactDetails,
  notificationPreferences,
  notificationSettings,
} from "./notifications/preferences.ts";
import { customEmail, customPush, customSms, sendGrid, twilio } from "./notifications/providers.ts";
import { apnsProviders, fcmProviders, pushTokens } from "./notifications/push.ts";
import { bots } from "./resources/bots.ts";
import { calls } from "./resources/calls.ts";
import { conversations, groupConversations, userConversations } from "./resources/conversations.ts";
import { dataImport } from "./resources/data-import.ts";
import { groups } from "./resources/groups.ts";
import { apiKeys, authTokens } from "./resources/keys-and-tokens.ts";
import { bannedUsers, members } from "./resources/members.ts";
import { messages, reactions, threads } from "./resources/messages.ts";
import { metrics } from "./resources/metrics.ts";
import { blockedMessages, flaggedMessages, moderatedMessages } from "./resources/moderated-messages.ts";
import { keywordLists, moderationRules, reasons } from "./resources/moderation-rules.ts";
import { restrictedFeatures, rolePermissions, roles, scopePermissions } from "./resources/roles.ts";
import { blockedUsers, friends, users } from "./resources/users.ts";
import type { AuthTokensClient } from "./types/auth-tokens.ts";
import type { ChatFamilies } from "./types/families.ts";
import type { UsersClient } from "./types/users.ts";

/** Every family of an app's APIs: Chat, Calls, Data Import, Campaigns and AI Agents. */
export const allFamilies = {
  apiKeys,
  users,
  authTokens,
  groups,
  members,
  bannedUsers,
  friends,
  blockedUsers,
  messages,
  bots,
  reactions,
  threads,
  conversations,
  userConversations,
  groupConversations,
  roles,
  restrictedFeatures,
  rolePermissions,
  scopePermissions,
  metrics,
  reasons,
  flaggedMessages,
  blockedMessages,
  moderationRules,
  keywordLists,
  moderatedMessages,
  notificationSettings,
  notificationPreferences,
  fcmProviders,
  apnsProviders,
  pushTokens,
  contactDetails,
  twilio,
  sendGrid,
  customPush,
  customSms,
  customEmail,
  notificationLogs,
  calls,
  dataImport,
  notificationFeed,
  pushNotifications,
  templates,
  templateCategories,
  channels,
  campaigns,
  campaignNotifications,
  analytics,
  agents,
  agentTools,
  agentApiTools,
  agentActions,
  agentMcpServers,
  agentKnowledge,
  agentTexts,
  agentWebsites,
  agentVariables,
  byoAgents,
  byoTools,
} as const;

/**
 * @see docs/internals/platform/addressing-and-keys.md#scopes-of-keys (the sources contradict each other on
 * creating users)
 */
const authOnlyFamilies = {
  users: { create: users.create },
  authTokens: { create: authTokens.create },
} as const;

/** A client with every family of an app's APIs. */
export interface ChatClient extends ChatClientBase, ChatFamilies {}

/** A client for a key of scope authOnly, which can only create users and auth tokens. */
export interface AuthOnlyChatClient extends Pick<ChatClientBase, "rateLimit"> {
  readonly users: Pick<UsersClient, "create">;
  readonly authTokens: Pick<AuthTokensClient, "create">;
}

/**
 * Creates a client that offers what an Auth Key (`scope: "authOnly"`) may do.
 * @throws InvalidInputError for an invalid option; nothing is sent
 * @example const chat = createChatClient({ appId, region, apiKey: authKey, scope: "authOnly" });
 */
export function createChatClient(options: ChatClientOptions & { scope: "authOnly" }): AuthOnlyChatClient;
/**
 * Creates a client with every family of an app's APIs. For small bundles, use composeChatClient.
 * @throws InvalidInputError for an invalid option; nothing is sent
 * @example const chat = createChatClient({ appId, region, apiKey });
 */
export function createChatClient(options: ChatClientOptions & { scope?: "fullAccess" }): ChatClient;
export function createChatClient(
  options: ChatClientOptions & { scope?: "authOnly" | "fullAccess" },
): ChatClient | AuthOnlyChatClient {
  checkChatClientOptions("createChatClient", options);
  if (options.scope !== "authOnly") return composeChatClient(options, allFamilies);
  const { request: _1, call: _2, using: _3, ...client } = composeChatClient(options, authOnlyFamilies);
  return client;
}
