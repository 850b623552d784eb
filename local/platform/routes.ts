import { permissionRoutes } from "./access/permissions.ts";
import { roleRoutes } from "./access/roles.ts";
import { apartRoutes } from "./apart.ts";
import { callRoutes } from "./calls/calls.ts";
import { apiKeyRoutes } from "./chat/api-keys.ts";
import { botRoutes } from "./chat/bots.ts";
import { conversationRoutes } from "./chat/conversations.ts";
import { friendRoutes } from "./chat/friends.ts";
import { groupMemberRoutes } from "./chat/group-members.ts";
import { groupRoutes } from "./chat/groups.ts";
import { messageMarkRoutes } from "./chat/message-marks.ts";
import { messageRoutes } from "./chat/messages.ts";
import { threadRoutes } from "./chat/threads.ts";
import { userRoutes } from "./chat/users.ts";
import type { AppRoute, ManagementRoute } from "./http/route.ts";
import { dataImportRoutes } from "./import/data-import.ts";
import { managementAppRoutes } from "./management/apps.ts";
import { extensionSettingRoutes } from "./management/extension-settings.ts";
import { extensionRoutes } from "./management/extensions.ts";
import { settingRoutes } from "./management/settings.ts";
import { webhookRoutes } from "./management/webhooks.ts";
import { metricRoutes } from "./metrics/metrics.ts";
import { reviewRoutes } from "./moderation/blocked.ts";
import { keywordRoutes } from "./moderation/keywords.ts";
import { moderatedMessageRoutes } from "./moderation/moderated-messages.ts";
import { reasonRoutes } from "./moderation/reasons.ts";
import { ruleRoutes } from "./moderation/rules.ts";

export const appRoutes: readonly AppRoute[] = [
  ...apiKeyRoutes,
  ...userRoutes,
  ...groupRoutes,
  ...groupMemberRoutes,
  ...friendRoutes,
  ...messageRoutes,
  ...messageMarkRoutes,
  ...threadRoutes,
  ...conversationRoutes,
  ...botRoutes,
  ...reasonRoutes,
  ...roleRoutes,
  ...permissionRoutes,
  ...ruleRoutes,
  ...keywordRoutes,
  ...reviewRoutes,
  ...moderatedMessageRoutes,
  ...callRoutes,
  ...metricRoutes,
  ...dataImportRoutes,
  ...apartRoutes,
];

export const managementRoutes: readonly ManagementRoute[] = [
  ...managementAppRoutes,
  ...webhookRoutes,
  ...settingRoutes,
  ...extensionRoutes,
  ...extensionSettingRoutes,
];
