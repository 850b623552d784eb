import type { Rows } from "./row.ts";
import { agentRows } from "./rows/agents.ts";
import { callRows, importRows } from "./rows/calls-and-import.ts";
import { campaignRows } from "./rows/campaigns.ts";
import { conversationRows } from "./rows/conversations.ts";
import { feedRows } from "./rows/feeds.ts";
import { groupRows } from "./rows/groups.ts";
import { managementRows } from "./rows/management.ts";
import { messageRows } from "./rows/messages.ts";
import { moderationRows } from "./rows/moderation.ts";
import { providerRows } from "./rows/notification-providers.ts";
import { notificationRows } from "./rows/notifications.ts";
import { roleRows } from "./rows/roles.ts";
import { userRows } from "./rows/users.ts";

/** Path values that exist in a fresh local platform. */
export const defaultPath: Readonly<Record<string, string>> = {
  uid: "alice",
  guid: "lobby",
  role: "default",
  scope: "participant",
  permission: "sendMessage",
  reaction: "👍",
  appId: "local-app",
  webhookId: "hook",
  providerId: "fcm-1",
  channelType: "in_app",
};

/** One row for each operation of both clients; a test finds missing ones. */
export const rows: Rows = {
  ...userRows,
  ...groupRows,
  ...messageRows,
  ...conversationRows,
  ...roleRows,
  ...moderationRows,
  ...callRows,
  ...importRows,
  ...notificationRows,
  ...providerRows,
  ...campaignRows,
  ...feedRows,
  ...agentRows,
  ...managementRows,
};
