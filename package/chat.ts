/**
 * Calls the platform's REST APIs: every operation, typed, validated before it is sent, retried where safe.
 * `createChatClient` has every family, `composeChatClient` bundles the given ones (docs/chat-client.md).
 * @module cometchat-functions/chat
 */

export { type Region, readRegion } from "../lib/chat/address.ts";
export { agentKnowledge, agentTexts } from "../lib/chat/agents/agent-knowledge.ts";
export { agentActions, agentApiTools } from "../lib/chat/agents/agent-parts.ts";
export { agentMcpServers, agentVariables } from "../lib/chat/agents/agent-variables.ts";
export { agentWebsites } from "../lib/chat/agents/agent-websites.ts";
export { agents, agentTools } from "../lib/chat/agents/agents.ts";
export { byoAgents, byoTools } from "../lib/chat/agents/byo-agents.ts";
export {
  type KnowledgeUploadState,
  type UploadKnowledgeOptions,
  uploadKnowledge,
} from "../lib/chat/agents/upload-knowledge.ts";
export { analytics, campaignNotifications, campaigns } from "../lib/chat/campaigns/campaigns.ts";
export { notificationFeed, pushNotifications } from "../lib/chat/campaigns/notification-feed.ts";
export { channels, templateCategories, templates } from "../lib/chat/campaigns/templates.ts";
export type { Answered, ChatRequest, ChatResponse } from "../lib/chat/chat-request.ts";
export { type AuthOnlyChatClient, type ChatClient, createChatClient } from "../lib/chat/client.ts";
export {
  type ApiKeySource,
  type ChatClientBase,
  type ChatClientOptions,
  type ChatClientWith,
  type ComposedChatClient,
  composeChatClient,
} from "../lib/chat/compose.ts";
export { describeErrorCode, type ErrorCodeFacts } from "../lib/chat/error-codes.ts";
export { isChatApiError, isChatUnreachableError, isInvalidInputError } from "../lib/chat/error-guards.ts";
export {
  ChatApiError,
  ChatUnreachableError,
  InvalidInputError,
  type UnreachablePhase,
} from "../lib/chat/errors.ts";
export type { RawOptions, RawRequest, Route, RouteArguments, RouteResult } from "../lib/chat/escape-hatch.ts";
export type { AddedHeaders, ChatHooks, ChatLog, OutgoingTry, TryOutcome } from "../lib/chat/hooks.ts";
export {
  type FailedImport,
  type ImportOptions,
  type ImportOutcome,
  type ImportProgress,
  importAll,
} from "../lib/chat/import-all.ts";
export type { ExtensionSettingsCalls } from "../lib/chat/management/extension-settings.ts";
export {
  createManagementClient,
  type ManagementClient,
  type ManagementClientOptions,
  type ManagementCredentialSource,
  type ManagementCredentials,
} from "../lib/chat/management/management-client.ts";
export { notificationLogs } from "../lib/chat/notifications/logs.ts";
export {
  contactDetails,
  notificationPreferences,
  notificationSettings,
} from "../lib/chat/notifications/preferences.ts";
export { customEmail, customPush, customSms, sendGrid, twilio } from "../lib/chat/notifications/providers.ts";
export { apnsProviders, fcmProviders, pushTokens } from "../lib/chat/notifications/push.ts";
export type { CallOperation, Family, FamilyClient, Operation } from "../lib/chat/operation.ts";
export type { Page, Paged } from "../lib/chat/paged.ts";
export type { RateClass, RateLimitState } from "../lib/chat/rate-budget.ts";
export type { AnswerReader } from "../lib/chat/read-answer.ts";
export type {
  AppOptions,
  CheckOption,
  MayActOptions,
  MustActOptions,
  RequestOptions,
} from "../lib/chat/request-options.ts";
export { bots } from "../lib/chat/resources/bots.ts";
export { calls } from "../lib/chat/resources/calls.ts";
export { conversations, groupConversations, userConversations } from "../lib/chat/resources/conversations.ts";
export { dataImport } from "../lib/chat/resources/data-import.ts";
export { groups } from "../lib/chat/resources/groups.ts";
export { apiKeys, authTokens } from "../lib/chat/resources/keys-and-tokens.ts";
export { bannedUsers, members } from "../lib/chat/resources/members.ts";
export { messages, reactions, threads } from "../lib/chat/resources/messages.ts";
export { metrics } from "../lib/chat/resources/metrics.ts";
export {
  blockedMessages,
  flaggedMessages,
  moderatedMessages,
} from "../lib/chat/resources/moderated-messages.ts";
export { keywordLists, moderationRules, reasons } from "../lib/chat/resources/moderation-rules.ts";
export { restrictedFeatures, rolePermissions, roles, scopePermissions } from "../lib/chat/resources/roles.ts";
export { blockedUsers, friends, users } from "../lib/chat/resources/users.ts";
export type { RetryPolicy } from "../lib/chat/retry.ts";
export type { TransportOptions, TryReport } from "../lib/chat/transport.ts";
export type * from "../lib/chat/types/index.ts";
export { AttachmentError, type AttachmentProblem } from "../lib/effects/http/attachment-error.ts";
export {
  type Attachments,
  type AttachmentsOptions,
  createAttachments,
  type OpenAttachmentOptions,
  type OpenedAttachment,
} from "../lib/effects/http/attachments.ts";
