import { permissionRoutes } from "./access/permissions.ts";
import { restrictedFeatureRoutes, roleRoutes } from "./access/roles.ts";
import { apartRoutes } from "./apart.ts";
import { callRoutes } from "./calls/calls.ts";
import { apiKeyRoutes } from "./chat/api-keys.ts";
import { botRoutes } from "./chat/bots.ts";
import { conversationRoutes } from "./chat/conversations.ts";
import { blockedUserRoutes, friendRoutes } from "./chat/friends.ts";
import { bannedUserRoutes, groupMemberRoutes } from "./chat/group-members.ts";
import { groupRoutes } from "./chat/groups.ts";
import { messageMarkRoutes, reactionRoutes } from "./chat/message-marks.ts";
import { messageRoutes } from "./chat/messages.ts";
import { threadRoutes } from "./chat/threads.ts";
import { authTokenRoutes, userRoutes } from "./chat/users.ts";
import type { AppRoute, ManagementRoute } from "./http/route.ts";
import { dataImportRoutes } from "./import/data-import.ts";
import { appLifecycleRoutes, managementAppRoutes } from "./management/apps.ts";
import { extensionSettingRoutes } from "./management/extension-settings.ts";
import { extensionRoutes } from "./management/extensions.ts";
import { appSettingRoutes, teamRoutes } from "./management/settings.ts";
import { triggerRoutes, webhookRoutes } from "./management/webhooks.ts";
import { metricRoutes } from "./metrics/metrics.ts";
import { blockedMessageRoutes, flaggedMessageRoutes } from "./moderation/blocked.ts";
import { keywordRoutes } from "./moderation/keywords.ts";
import { moderatedMessageRoutes } from "./moderation/moderated-messages.ts";
import { reasonRoutes } from "./moderation/reasons.ts";
import { ruleRoutes } from "./moderation/rules.ts";

export const appRoutes: readonly AppRoute[] = [
  ...apiKeyRoutes,
  ...userRoutes,
  ...authTokenRoutes,
  ...groupRoutes,
  ...groupMemberRoutes,
  ...bannedUserRoutes,
  ...friendRoutes,
  ...blockedUserRoutes,
  ...messageRoutes,
  ...messageMarkRoutes,
  ...reactionRoutes,
  ...threadRoutes,
  ...conversationRoutes,
  ...botRoutes,
  ...reasonRoutes,
  ...roleRoutes,
  ...restrictedFeatureRoutes,
  ...permissionRoutes,
  ...ruleRoutes,
  ...keywordRoutes,
  ...blockedMessageRoutes,
  ...flaggedMessageRoutes,
  ...moderatedMessageRoutes,
  ...callRoutes,
  ...metricRoutes,
  ...dataImportRoutes,
  ...apartRoutes,
];

export const managementRoutes: readonly ManagementRoute[] = [
  ...managementAppRoutes,
  ...webhookRoutes,
  ...triggerRoutes,
  ...appLifecycleRoutes,
  ...appSettingRoutes,
  ...teamRoutes,
  ...extensionRoutes,
  ...extensionSettingRoutes,
];
