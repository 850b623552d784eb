/**
 * Calls the platform's REST APIs: every operation, typed, validated before it is sent, retried where safe.
 * `createChatClient` has every family, `composeChatClient` bundles the given ones (docs/chat-client.md).
 * @module cometchat-functions/chat
 */

export { type Region, readRegion } from "../lib/chat/address.ts";
export { agentKnowledge, agentTexts } from "../lib/chat/agents/agent-knowledge.ts";
export { agentMcpServers } from "../lib/chat/agents/agent-mcp-servers.ts";
export { agentActions, agentApiTools } from "../lib/chat/agents/agent-parts.ts";
export { agentVariables } from "../lib/chat/agents/agent-variables.ts";
export { agentWebsites } from "../lib/chat/agents/agent-websites.ts";
export { agents, agentTools } from "../lib/chat/agents/agents.ts";
export { byoAgents, byoTools } from "../lib/chat/agents/byo-agents.ts";
export {
  type KnowledgeUploadState,
  type UploadKnowledgeOptions,
  uploadKnowledge,
} from "../lib/chat/agents/upload-knowledge.ts";
export { analytics } from "../lib/chat/campaigns/analytics.ts";
export { campaignNotifications, campaigns } from "../lib/chat/campaigns/campaigns.ts";
export { channels } from "../lib/chat/campaigns/channels.ts";
export { notificationFeed } from "../lib/chat/campaigns/notification-feed.ts";
export { pushNotifications } from "../lib/chat/campaigns/push-notifications.ts";
export { templateCategories, templates } from "../lib/chat/campaigns/templates.ts";
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
export { contactDetails } from "../lib/chat/notifications/contact-details.ts";
export { customEmail, customPush, customSms } from "../lib/chat/notifications/custom-providers.ts";
export { notificationLogs } from "../lib/chat/notifications/logs.ts";
export { sendGrid, twilio } from "../lib/chat/notifications/mail-and-sms.ts";
export { notificationPreferences } from "../lib/chat/notifications/preferences.ts";
export { apnsProviders, fcmProviders } from "../lib/chat/notifications/push-providers.ts";
export { pushTokens } from "../lib/chat/notifications/push-tokens.ts";
export { notificationSettings } from "../lib/chat/notifications/settings.ts";
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
export { apiKeys } from "../lib/chat/resources/api-keys.ts";
export { authTokens } from "../lib/chat/resources/auth-tokens.ts";
export { bannedUsers } from "../lib/chat/resources/banned-users.ts";
export { blockedMessages } from "../lib/chat/resources/blocked-messages.ts";
export { blockedUsers } from "../lib/chat/resources/blocked-users.ts";
export { bots } from "../lib/chat/resources/bots.ts";
export { calls } from "../lib/chat/resources/calls.ts";
export { conversations } from "../lib/chat/resources/conversations.ts";
export { dataImport } from "../lib/chat/resources/data-import.ts";
export { flaggedMessages } from "../lib/chat/resources/flagged-messages.ts";
export { friends } from "../lib/chat/resources/friends.ts";
export { groupConversations } from "../lib/chat/resources/group-conversations.ts";
export { groups } from "../lib/chat/resources/groups.ts";
export { keywordLists } from "../lib/chat/resources/keyword-lists.ts";
export { members } from "../lib/chat/resources/members.ts";
export { messages } from "../lib/chat/resources/messages.ts";
export { metrics } from "../lib/chat/resources/metrics.ts";
export { moderatedMessages } from "../lib/chat/resources/moderated-messages.ts";
export { moderationRules } from "../lib/chat/resources/moderation-rules.ts";
export { rolePermissions, scopePermissions } from "../lib/chat/resources/permissions.ts";
export { reactions } from "../lib/chat/resources/reactions.ts";
export { reasons } from "../lib/chat/resources/reasons.ts";
export { restrictedFeatures } from "../lib/chat/resources/restricted-features.ts";
export { roles } from "../lib/chat/resources/roles.ts";
export { threads } from "../lib/chat/resources/threads.ts";
export { userConversations } from "../lib/chat/resources/user-conversations.ts";
export { users } from "../lib/chat/resources/users.ts";
export type { RetryPolicy } from "../lib/chat/retry.ts";
export type { TransportOptions, TryReport } from "../lib/chat/transport.ts";
export type {
  AddActionsToAgentInput,
  AgentActionsClient,
  CreateFrontendActionInput,
  FrontendAction,
  ListFrontendActionsQuery,
  RemoveActionsFromAgentInput,
  UpdateFrontendActionFields,
  UpdateFrontendActionInput,
} from "../lib/chat/types/agent-actions.ts";
export type {
  AddApiToolsToAgentInput,
  AgentApiToolsClient,
  AgentToolParameter,
  ApiTool,
  CreateAgentApiToolInput,
  ListAgentApiToolsQuery,
  RemoveApiToolsFromAgentInput,
  ShownTool,
  UpdateAgentApiToolFields,
  UpdateAgentApiToolInput,
} from "../lib/chat/types/agent-api-tools.ts";
export type {
  AddKnowledgeToAgentInput,
  AgentKnowledgeClient,
  DeletedSource,
  GetKnowledgeStatusInput,
  GetSourcePagesQuery,
  KnowledgeFile,
  KnowledgeSource,
  KnowledgeUpload,
  ListKnowledgeSourcesQuery,
  RemoveKnowledgeFromAgentInput,
  SourcePage,
  StartKnowledgeUploadsAnswer,
  StartKnowledgeUploadsInput,
} from "../lib/chat/types/agent-knowledge.ts";
export type {
  AddMcpServersToAgentInput,
  AgentMcpServersClient,
  CreateAgentMcpServerInput,
  ListAgentMcpServersQuery,
  McpServer,
  RemoveMcpServersFromAgentInput,
  UpdateAgentMcpServerFields,
  UpdateAgentMcpServerInput,
} from "../lib/chat/types/agent-mcp-servers.ts";
export type {
  AgentTextsClient,
  CreateAgentTextInput,
  TextEntry,
  UpdateAgentTextFields,
  UpdateAgentTextInput,
} from "../lib/chat/types/agent-texts.ts";
export type {
  AddAgentToolsInput,
  AgentToolAction,
  AgentToolsClient,
  EnableAgentToolActionsInput,
  RemoveAgentToolActionsInput,
  RemoveAgentToolsInput,
} from "../lib/chat/types/agent-tools.ts";
export type {
  AgentVariable,
  AgentVariablesClient,
  CreateAgentVariableInput,
  ListVariableUsageQuery,
  UpdateAgentVariableFields,
  UpdateAgentVariableInput,
  VariableUsage,
} from "../lib/chat/types/agent-variables.ts";
export type {
  AgentWebsitesClient,
  DiscoveredUrl,
  GetDiscoveredUrlStatusInput,
  ListDiscoveredUrlsQuery,
  ProcessDiscoveredUrlsInput,
  RetryDiscoveredUrlsInput,
  ScrapePageAnswer,
  ScrapePageInput,
  ScrapeWebsiteAnswer,
  ScrapeWebsiteInput,
  UrlBatch,
} from "../lib/chat/types/agent-websites.ts";
export type {
  Agent,
  AgentModel,
  AgentsClient,
  CreateAgentInput,
  GetAgentEnabledItemsAnswer,
  GetAgentEnabledItemsQuery,
  ListAgentsQuery,
  SearchAgentToolsAnswer,
  SearchAgentToolsQuery,
  UpdateAgentFields,
  UpdateAgentInput,
} from "../lib/chat/types/agents.ts";
export type {
  AnalyticsClient,
  GetAnalyticsOverviewQuery,
  GetCampaignAnalyticsQuery,
  GetChannelAnalyticsQuery,
  GetTemplateAnalyticsQuery,
  GetUserAnalyticsQuery,
  UserEngagement,
} from "../lib/chat/types/analytics.ts";
export type {
  ApiKey,
  ApiKeysClient,
  CreateApiKeyInput,
  ListApiKeysQuery,
  UpdateApiKeyFields,
  UpdateApiKeyInput,
} from "../lib/chat/types/api-keys.ts";
export type {
  AddApnsProviderInput,
  ApnsProvidersClient,
  UpdateApnsProviderInput,
} from "../lib/chat/types/apns-providers.ts";
export type { AppSettingsClient, SetAppSettingsInput } from "../lib/chat/types/app-settings.ts";
export type {
  App,
  AppsClient,
  CreateAppInput,
  DeleteAppAnswer,
  ListAppsQuery,
  SendAppUsageAnswer,
  SendAppUsageInput,
} from "../lib/chat/types/apps.ts";
export type {
  AuthToken,
  AuthTokensClient,
  CreateAuthTokenInput,
  ListAuthTokensQuery,
  UpdateAuthTokenFields,
  UpdateAuthTokenInput,
} from "../lib/chat/types/auth-tokens.ts";
export type { BannedUsersClient, ListBannedUsersQuery } from "../lib/chat/types/banned-users.ts";
export type {
  ApproveBlockedMessageInput,
  BlockedMessagesClient,
  ReviewBlockedMessageInput,
} from "../lib/chat/types/blocked-messages.ts";
export type {
  BlockedUsersClient,
  BlockUsersInput,
  ListBlockedUsersQuery,
  UnblockUsersInput,
} from "../lib/chat/types/blocked-users.ts";
export type {
  Bot,
  BotsClient,
  CreateBotMessageInput,
  ListBotMessagesQuery,
  SendBotMessageInput,
  UpdateBotMessageFields,
  UpdateBotMessageInput,
} from "../lib/chat/types/bots.ts";
export type {
  AgentGreetings,
  AgentIntegration,
  AgentIntegrationMeta,
  ByoAgent,
  ByoAgentsClient,
  CreateByoAgentInput,
  UpdateByoAgentFields,
  UpdateByoAgentInput,
} from "../lib/chat/types/byo-agents.ts";
export type {
  ByoTool,
  ByoToolsClient,
  CreateByoToolInput,
  CreateByoToolParametersInput,
  DeleteByoToolAnswer,
  ListByoToolsQuery,
  UpdateByoToolInput,
} from "../lib/chat/types/byo-tools.ts";
export type {
  Call,
  CallsClient,
  CallTranscription,
  ListCallsQuery,
  ListCallTranscriptionsQuery,
} from "../lib/chat/types/calls.ts";
export type {
  CampaignNotificationsClient,
  SendCampaignNotificationInput,
} from "../lib/chat/types/campaign-notifications.ts";
export type {
  AddCampaignRecipientsInput,
  CampaignsClient,
  CreateCampaignInput,
  ImportCampaignCsvInput,
  ListCampaignRecipientsQuery,
  ListCampaignsQuery,
  ScheduleCampaignInput,
  UpdateCampaignFields,
  UpdateCampaignInput,
} from "../lib/chat/types/campaigns.ts";
export type {
  ChannelsClient,
  CreateChannelInput,
  ListChannelsQuery,
  UpdateChannelFields,
  UpdateChannelInput,
} from "../lib/chat/types/channels.ts";
export type {
  ContactDetails,
  ContactDetailsClient,
  UpdateContactDetailsFields,
  UpdateContactDetailsInput,
} from "../lib/chat/types/contact-details.ts";
export type {
  Conversation,
  ConversationsClient,
  ListConversationsQuery,
  ReplaceConversationPinnedInput,
  ReplaceConversationPinnedPinnedConversationInput,
} from "../lib/chat/types/conversations.ts";
export type {
  CustomEmailClient,
  SaveCustomEmailInput,
  UpdateCustomEmailFields,
  UpdateCustomEmailInput,
} from "../lib/chat/types/custom-email.ts";
export type {
  CustomPushClient,
  SaveCustomPushInput,
  UpdateCustomPushFields,
  UpdateCustomPushInput,
} from "../lib/chat/types/custom-push.ts";
export type {
  CustomSmsClient,
  SaveCustomSmsInput,
  UpdateCustomSmsFields,
  UpdateCustomSmsInput,
} from "../lib/chat/types/custom-sms.ts";
export type {
  DataImportClient,
  GroupDetailsToImport,
  GroupToImport,
  ImportGroupsInput,
  ImportMembersInput,
  ImportMessagesInput,
  ImportUsersInput,
  MemberToImport,
  MessageToImport,
  UserToImport,
} from "../lib/chat/types/data-import.ts";
export type { ChatErrorCode } from "../lib/chat/types/error-codes.ts";
export type {
  Extension,
  ExtensionId,
  ExtensionsClient,
  ListExtensionsQuery,
  SwitchExtensionsInput,
  SwitchedExtensions,
  UploadCertificateP8Input,
  UploadCertificateP12Input,
} from "../lib/chat/types/extensions.ts";
export type { ChatFamilies, ManagementFamilies } from "../lib/chat/types/families.ts";
export type {
  AddFcmProviderInput,
  AddFcmProviderNotificationInPayloadIosInput,
  FcmProvidersClient,
  FcmServiceAccount,
  PayloadNotifications,
  PushProviders,
  UpdateFcmProviderInput,
} from "../lib/chat/types/fcm-providers.ts";
export type {
  BlockedMessage,
  FlaggedMessage,
  FlaggedMessagesClient,
  FlagMessageInput,
  ListFlaggedMessagesQuery,
  ListReviewedMessagesQuery,
  ReviewFlaggedMessageInput,
} from "../lib/chat/types/flagged-messages.ts";
export type {
  AddedFriends,
  AddFriendInput,
  FriendsClient,
  ListFriendsQuery,
  RemoveFriendInput,
} from "../lib/chat/types/friends.ts";
export type {
  GroupConversationsClient,
  MarkGroupConversationDeliveredInput,
  MarkGroupConversationReadInput,
  MarkGroupConversationUnreadInput,
  ResetGroupConversationInput,
  UpdateGroupConversationInput,
} from "../lib/chat/types/group-conversations.ts";
export type {
  CountRange,
  CreateGroupInput,
  Group,
  GroupsClient,
  ListGroupsQuery,
  MemberLists,
  UpdateGroupFields,
  UpdateGroupInput,
} from "../lib/chat/types/groups.ts";
export type {
  CreateKeywordListInput,
  KeywordList,
  KeywordListsClient,
  UpdateKeywordListInput,
} from "../lib/chat/types/keyword-lists.ts";
export type {
  AddedMembers,
  AddGroupMemberInput,
  ChangeMemberScopeAnswer,
  ChangeMemberScopeInput,
  GroupMember,
  ListGroupMembersQuery,
  MembersClient,
} from "../lib/chat/types/members.ts";
export type {
  DeletedMessage,
  DeleteMessageInput,
  ListMessagesForGroupQuery,
  ListMessagesForUserQuery,
  ListMessagesQuery,
  MarkMessageInteractedInput,
  Message,
  MessageAttachment,
  MessageAttachmentInput,
  MessageData,
  MessageDataInput,
  MessageModeration,
  MessageReaction,
  MessagesClient,
  MultipleReceivers,
  RelatedMessage,
  SendMessageFields,
  SendMessageInput,
  SendMessageMultipleReceiversFields,
  UpdateMessageFields,
  UpdateMessageInput,
} from "../lib/chat/types/messages.ts";
export type {
  GetUsageMetricsQuery,
  MessageMetrics,
  MessageMetricsPoint,
  MetricsClient,
  UsageMetrics,
} from "../lib/chat/types/metrics.ts";
export type {
  ListModeratedMessagesQuery,
  ModeratedMessagesClient,
  ModeratedUserDetails,
  SendModeratedMessageInput,
  UpdateModeratedMessageInput,
} from "../lib/chat/types/moderated-messages.ts";
export type {
  CreateModerationRuleInput,
  ListModerationRulesQuery,
  ModerationRule,
  ModerationRulesClient,
  UpdateModerationRuleFields,
  UpdateModerationRuleInput,
} from "../lib/chat/types/moderation-rules.ts";
export type {
  CountUnreadFeedItemsQuery,
  GetFeedItemQuery,
  ListFeedItemsQuery,
  NotificationFeedClient,
  ReportFeedEngagementInput,
} from "../lib/chat/types/notification-feed.ts";
export type {
  ListNotificationLogsQuery,
  NotificationLog,
  NotificationLogsClient,
} from "../lib/chat/types/notification-logs.ts";
export type {
  ConversationToMute,
  ConversationToUnmute,
  GetNotificationPreferencesQuery,
  GetTimezoneQuery,
  GroupPreferences,
  ListMutedConversationsQuery,
  MuteConversationsInput,
  MuteDay,
  MutedConversations,
  MutePreferences,
  MuteSchedule,
  NotificationPreferencesClient,
  OneOnOnePreferences,
  ResetNotificationPreferencesInput,
  SetTimezoneInput,
  Timezone,
  UnmuteConversationsInput,
  UpdateNotificationPreferencesInput,
} from "../lib/chat/types/notification-preferences.ts";
export type {
  NotificationSettings,
  NotificationSettingsClient,
  UpdateNotificationSettingsFields,
  UpdateNotificationSettingsInput,
  UpdateNotificationSettingsSoundInput,
} from "../lib/chat/types/notification-settings.ts";
export type { NamedOperations } from "../lib/chat/types/operations.ts";
export type {
  ListPushNotificationsQuery,
  PushNotificationsClient,
  ReportPushEngagementInput,
} from "../lib/chat/types/push-notifications.ts";
export type {
  DeletePushTokenInput,
  FcmPlatform,
  ListPushTokensQuery,
  PushToken,
  PushTokens,
  PushTokensClient,
  RegisterApnsTokenInput,
  RegisterFcmTokenInput,
  RegisterPushTokenInput,
  RegisterVoipTokenInput,
  UnregisterPushTokenInput,
} from "../lib/chat/types/push-tokens.ts";
export type { Reaction, ReactionsClient } from "../lib/chat/types/reactions.ts";
export type {
  CreateReasonInput,
  Reason,
  ReasonsClient,
  UpdateReasonInput,
} from "../lib/chat/types/reasons.ts";
export type {
  AllowFeaturesFields,
  AllowFeaturesInput,
  RestrictedFeature,
  RestrictedFeaturesClient,
  RestrictFeaturesInput,
} from "../lib/chat/types/restricted-features.ts";
export type {
  PermissionDefinition,
  PermissionValues,
  RolePermissionsClient,
  SetRolePermissionInput,
} from "../lib/chat/types/role-permissions.ts";
export type {
  CreateRoleInput,
  CreateRoleSettingsInput,
  ListRolesQuery,
  Role,
  RolesClient,
  UpdateRoleFields,
  UpdateRoleInput,
} from "../lib/chat/types/roles.ts";
export type { ChatRoutes } from "../lib/chat/types/routes.ts";
export type { ScopePermissionsClient, SetScopePermissionInput } from "../lib/chat/types/scope-permissions.ts";
export type {
  SaveSendGridInput,
  SendGridClient,
  UpdateSendGridFields,
  UpdateSendGridInput,
} from "../lib/chat/types/send-grid.ts";
export type { Acknowledgement, CampaignEntity, ItemResult, TimeRange } from "../lib/chat/types/shared.ts";
export type {
  ChangeTeamFields,
  ChangeTeamInput,
  TeamChanges,
  TeamClient,
  TeamMember,
} from "../lib/chat/types/team.ts";
export type {
  CreateTemplateCategoryInput,
  ListTemplateCategoriesQuery,
  TemplateCategoriesClient,
  UpdateTemplateCategoryFields,
  UpdateTemplateCategoryInput,
} from "../lib/chat/types/template-categories.ts";
export type {
  CreateTemplateInput,
  ListTemplatesQuery,
  TemplateChannel,
  TemplatesClient,
  UpdateTemplateChannelContentInput,
  UpdateTemplateFields,
  UpdateTemplateInput,
} from "../lib/chat/types/templates.ts";
export type { CreateTenantInput, Tenant, TenantApp, TenantsClient } from "../lib/chat/types/tenants.ts";
export type {
  ListRepliesQuery,
  ListThreadsQuery,
  SendReplyFields,
  SendReplyInput,
  ThreadsClient,
} from "../lib/chat/types/threads.ts";
export type {
  SaveTwilioInput,
  TwilioClient,
  UpdateTwilioFields,
  UpdateTwilioInput,
} from "../lib/chat/types/twilio.ts";
export type {
  MarkUserConversationDeliveredInput,
  MarkUserConversationReadInput,
  MarkUserConversationUnreadInput,
  PinnedConversation,
  ResetUserConversationInput,
  UpdateUserConversationInput,
  UserConversationsClient,
} from "../lib/chat/types/user-conversations.ts";
export type {
  CreateUserInput,
  DeactivateUsersAnswer,
  DeactivateUsersInput,
  DeleteUserInput,
  ListUsersQuery,
  ReactivateUsersAnswer,
  ReactivateUsersInput,
  UpdateUserFields,
  UpdateUserInput,
  User,
  UsersClient,
} from "../lib/chat/types/users.ts";
export type {
  AddWebhookTriggersInput,
  CreateWebhookInput,
  ListWebhooksQuery,
  RemoveWebhookTriggersInput,
  UpdateWebhookFields,
  UpdateWebhookInput,
  Webhook,
  WebhooksClient,
  WebhookTrigger,
} from "../lib/chat/types/webhooks.ts";
export { AttachmentError, type AttachmentProblem } from "../lib/effects/http/attachment-error.ts";
export {
  type Attachments,
  type AttachmentsOptions,
  createAttachments,
  type OpenAttachmentOptions,
  type OpenedAttachment,
} from "../lib/effects/http/attachments.ts";
