/**
 * Lists the features that can be forbidden to a role, with the path each belongs to. Only the path of listUsers is
 * documented; the others are concluded from the operations (SDK-only features have none of their own).
 * @see docs/platform/users-and-groups.md#restricted-features
 */
export const features = {
  addMember: "/v3/groups/{guid}/members",
  ban: "/v3/groups/{guid}/bannedusers/{uid}",
  blockUser: "/v3/users/{uid}/blockedusers",
  changeScope: "/v3/groups/{guid}/members/{uid}",
  createCall: "/v3/calls",
  createGroup: "/v3/groups",
  createMessage: "/v3/messages",
  createMessageThread: "/v3/messages/{id}/thread",
  deleteCall: "/v3/calls/{sessionId}",
  deleteConversationForUser: "/v3/users/{uid}/conversation",
  deleteGroup: "/v3/groups/{guid}",
  deleteGroupMessages: "/v3/groups/{guid}/messages",
  deleteMessage: "/v3/messages/{id}",
  getBlockedUsers: "/v3/users/{uid}/blockedusers",
  getCall: "/v3/calls/{sessionId}",
  getConversation: "/v3/conversations/{conversationId}",
  getGroup: "/v3/groups/{guid}",
  getGroupMessages: "/v3/groups/{guid}/messages",
  getMember: "/v3/groups/{guid}/members/{uid}",
  getMessage: "/v3/messages/{id}",
  getMyDetails: "/v3/me",
  getUser: "/v3/users/{uid}",
  getUserMessages: "/v3/users/{uid}/messages",
  joinGroup: "/v3/groups/{guid}/members",
  kickMember: "/v3/groups/{guid}/members/{uid}",
  leaveGroup: "/v3/groups/{guid}/members",
  listBannedUsers: "/v3/groups/{guid}/bannedusers",
  listCalls: "/v3/calls",
  listConversations: "/v3/conversations",
  listGroupMembers: "/v3/groups/{guid}/members",
  listGroups: "/v3/groups",
  listMessages: "/v3/messages",
  listSettings: "/v3/settings",
  listThreadedMessages: "/v3/messages/{id}/thread",
  listUsers: "/v3/users",
  logout: "/v3/me",
  massMemberOperate: "/v3/groups/{guid}/members",
  patchOwner: "/v3/groups/{guid}/owner",
  unban: "/v3/groups/{guid}/bannedusers/{uid}",
  unblockUser: "/v3/users/{uid}/blockedusers",
  updateAuthToken: "/v3/users/{uid}/auth_tokens/{authToken}",
  updateCall: "/v3/calls/{sessionId}",
  updateGroup: "/v3/groups/{guid}",
  updateMessage: "/v3/messages/{id}",
} as const satisfies Record<string, string>;

/** Names one feature, without the prefix `u.`. */
export type Feature = keyof typeof features;

/** Takes the prefix `u.` off a key, which the examples have and the key table lacks. */
export function featureKey(key: string): string {
  return key.startsWith("u.") ? key.slice("u.".length) : key;
}

/** Tells whether a key names a feature. */
export function isFeature(key: string): key is Feature {
  return Object.hasOwn(features, key);
}

/** Names the kind of the documents that hold what is forbidden to a role. */
export function restrictedKind(role: string): string {
  return `restricted-feature:${role}`;
}
