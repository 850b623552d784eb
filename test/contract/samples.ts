import {
  acting,
  apns,
  blocked,
  fcm,
  file,
  flagged,
  importedMessage,
  inLobby,
  message,
  moderated,
  newApns,
  newCustom,
  newFcm,
  newKey,
  newKeywords,
  newReason,
  newRole,
  newRule,
  newSendGrid,
  newToken,
  newTwilio,
  newUser,
  newWebhook,
  placedCall,
  provider,
  rule,
  type Sample,
  sendGrid,
  text,
  twilio,
  type World,
  webhook,
  withBob,
} from "./prepare.ts";
import {
  feedItem,
  importingCampaign,
  newCampaign,
  newCategory,
  newChannel,
  newTemplate,
  pushItem,
  scheduledCampaign,
  template,
} from "./prepare-campaigns.ts";

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

const withInput = (prepare: (world: World) => Promise<Sample>, input: object) => async (world: World) => ({
  ...(await prepare(world)),
  input,
});

const campaignSamples: Readonly<Record<string, (world: World) => Sample | Promise<Sample>>> = {
  NotificationFeedController_getUnreadCount: () => ({
    input: { templateCategory: "Alerts" },
    onBehalfOf: "alice",
  }),
  NotificationFeedController_findById: feedItem,
  NotificationFeedController_delete: async (world) => ({ path: (await feedItem(world)).path ?? {} }),
  NotificationFeedController_markAsRead: feedItem,
  NotificationFeedController_markAsDelivered: feedItem,
  NotificationFeedController_reportEngagement: withInput(feedItem, { topic: "clicked" }),
  PushNotificationsController_findByReceiver: () => ({ input: { limit: 5 }, onBehalfOf: "alice" }),
  PushNotificationsController_findById: pushItem,
  PushNotificationsController_markDelivered: pushItem,
  PushNotificationsController_markClicked: pushItem,
  PushNotificationsController_reportEngagement: withInput(pushItem, { topic: "clicked" }),
  CategoriesController_create: () => ({ input: { name: "News" } }),
  CategoriesController_findById: newCategory,
  CategoriesController_update: withInput(newCategory, { name: "Other" }),
  CategoriesController_delete: newCategory,
  TemplatesController_create: () => ({ input: template }),
  TemplatesController_findById: newTemplate,
  TemplatesController_update: withInput(newTemplate, { label: "New" }),
  TemplatesController_archive: newTemplate,
  TemplatesController_updateChannelContent: withInput(newTemplate, { content: { body: "bye" } }),
  TemplatesController_createVersion: newTemplate,
  ChannelsController_create: () => ({ input: { name: "Push", type: "push" } }),
  ChannelsController_getById: newChannel,
  ChannelsController_update: withInput(newChannel, { enabled: true }),
  CampaignsController_create: async (world) => ({
    input: { name: "Launch", templateId: (await newTemplate(world)).path?.id ?? "", templateVersion: 1 },
  }),
  CampaignsController_findById: newCampaign,
  CampaignsController_update: withInput(newCampaign, { name: "Later" }),
  CampaignsController_delete: newCampaign,
  CampaignsController_addRecipients: withInput(newCampaign, { userIds: ["bob"] }),
  CampaignsController_getRecipients: newCampaign,
  CampaignsController_getRecipientSummary: newCampaign,
  CampaignsController_getUploadUrl: newCampaign,
  CampaignsController_importCsv: withInput(newCampaign, { s3Key: "recipients.csv" }),
  CampaignsController_getImportStatus: importingCampaign,
  CampaignsController_send: newCampaign,
  CampaignsController_schedule: withInput(newCampaign, { scheduledAt: 4_000_000_000 }),
  CampaignsController_cancel: scheduledCampaign,
  CampaignsController_getSequenceMetrics: newCampaign,
  NotificationSendController_send: async (world) => ({
    input: { templateId: (await newTemplate(world)).path?.id ?? "", receivers: ["alice"] },
  }),
  AnalyticsController_getCampaignAnalytics: newCampaign,
  AnalyticsController_getTemplateAnalytics: newTemplate,
};

/** What to call each operation with, once everything it needs is there. Operations that are not named need nothing. */
export const samples: Readonly<Record<string, (world: World) => Sample | Promise<Sample>>> = {
  "create-apikey": () => ({ input: { name: "second", scope: "authOnly" } }),
  "get-apikey": newKey,
  "update-apikey": async (world) => ({ ...(await newKey(world)), input: { name: "renamed" } }),
  "delete-apikey": newKey,
  "create-user": () => ({
    input: { ...newUser, metadata: { note: "👋" }, tags: ["new"], withAuthToken: true },
  }),
  "list-users": () => ({ input: { status: "online", perPage: 2 } }),
  "update-user": () => ({ input: { name: "Alice N.", unset: ["avatar"] } }),
  "delete-user": () => ({ path: { uid: "bob" }, input: { permanent: true } }),
  "deactivate-users": () => ({ input: { uidsToDeactivate: ["bob"] } }),
  "reactivate-users": async ({ chat }) => {
    await chat.users.deactivate({ uidsToDeactivate: ["bob"] });
    return { input: { uidsToActivate: ["bob"] } };
  },
  "create-authtoken": () => ({ input: { force: true } }),
  "get-authtoken": async (world) => ({ path: (await newToken(world)).path ?? {} }),
  "update-authtoken": async (world) => ({
    path: (await newToken(world)).path ?? {},
    input: { platform: "ios" },
  }),
  "delete-authtoken": async (world) => ({ path: (await newToken(world)).path ?? {} }),
  "create-group": () => ({
    input: {
      guid: "club",
      name: "Club",
      type: "password",
      password: "s3cret",
      members: { participants: ["bob"] },
    },
    onBehalfOf: "alice",
  }),
  "list-groups": () => ({ input: { hasJoined: true }, onBehalfOf: "alice" }),
  "update-group": () => ({ input: { name: "Hall" } }),
  "add-group-members": async ({ chat }) => {
    await chat.users.create(newUser);
    return { input: { moderators: ["zoe"] } };
  },
  "list-group-members": () => ({ input: { scopes: ["participant"] } }),
  "change-group-member-scope": () => ({ path: { uid: "bob" }, input: { scope: "moderator" } }),
  "kick-group-member": () => ({ path: { uid: "bob" } }),
  "ban-group-user": () => ({ path: { uid: "bob" } }),
  "unban-group-user": async ({ chat }) => {
    await chat.bannedUsers.ban("lobby", "bob");
    return { path: { uid: "bob" } };
  },
  "add-friend": () => ({ input: { accepted: ["bob"] } }),
  "remove-friend": async ({ chat }) => {
    await chat.friends.add("alice", { accepted: ["bob"] });
    return { input: { friends: ["bob"] } };
  },
  "block-users": () => ({ input: { blockedUids: ["bob"] } }),
  "unblock-users": async ({ chat }) => {
    await chat.blockedUsers.block("alice", { blockedUids: ["bob"] });
    return { input: { blockedUids: ["bob"] } };
  },
  "send-message": () => ({ input: { ...text, muid: "m-1" }, onBehalfOf: "alice" }),
  "list-all-messages": async (world) => {
    await message(world);
    return { input: { limit: 5 }, ...acting };
  },
  "user-list-user-messages": (world) => withBob(world, { limit: 5 }),
  "user-list-group-messages": (world) => inLobby(world, { limit: 5 }),
  "get-message-details": message,
  "update-message": async (world) => ({ ...(await message(world)), input: { data: { text: "edited" } } }),
  "delete-message": message,
  "pin-message": message,
  "unpin-message": message,
  "save-message": message,
  "unsave-message": message,
  "mark-message-as-interacted": async (world) => ({
    ...(await message(world)),
    input: { interactions: ["1"] },
  }),
  "send-bot-message": async ({ simulate }) => {
    await simulate("PUT", "/bots/helper-bot", {
      name: "Helper",
      url: "http://127.0.0.1:9/",
      groupMessages: "none",
    });
    return { path: { uid: "helper-bot" }, input: text };
  },
  "retrieve-call-details": placedCall,
  "retrieve-call-transcriptions": placedCall,
  "list-all-reactions": message,
  "get-message-reactions": message,
  "add-message-reactions": message,
  "remove-message-reactions": async (world) => {
    const sample = await message(world);
    await world.chat.reactions.add(sample.path?.id ?? "", "👍", acting);
    return sample;
  },
  "send-thread-message": async (world) => ({ ...(await message(world)), input: text }),
  "list-all-thread-messages": message,
  "subscribe-thread": message,
  "unsubscribe-thread": message,
  "replace-global-pinned-conversations": async (world) => {
    await message(world);
    return { input: { pinnedConversations: [{ guid: "lobby" }] } };
  },
  "list-all-conversations": async (world) => {
    await message(world);
    return acting;
  },
  "get-user-conversations": (world) => withBob(world),
  "update-user-conversation": (world) => withBob(world, { tags: ["vip"] }),
  "reset-user-conversation": (world) => withBob(world, {}),
  "pin-user-conversation": (world) => withBob(world),
  "unpin-user-conversation": (world) => withBob(world),
  "mark-conversation-as-delivered": (world) => withBob(world, {}),
  "mark-conversation-as-read": (world) => withBob(world, {}),
  "mark-conversation-as-unread": (world) => withBob(world, {}),
  "get-group-conversations": (world) => inLobby(world),
  "update-group-conversation": (world) => inLobby(world, { tags: ["vip"] }),
  "reset-group-conversation": (world) => inLobby(world, {}),
  "pin-group-conversation": (world) => inLobby(world),
  "unpin-group-conversation": (world) => inLobby(world),
  "mark-group-conversation-as-delivered": (world) => inLobby(world, {}),
  "mark-group-conversation-as-read": (world) => inLobby(world, {}),
  "mark-group-conversation-as-unread": (world) => inLobby(world, {}),
  "create-role": () => ({ input: { role: "manager", name: "Manager" } }),
  "get-role": newRole,
  "update-role": async (world) => ({ ...(await newRole(world)), input: { description: "leads" } }),
  "delete-role": newRole,
  "restrict-features": async (world) => ({
    ...(await newRole(world)),
    input: { featuresToRestrict: ["u.listUsers"] },
  }),
  "allow-features": async (world) => {
    const sample = await newRole(world);
    await world.chat.restrictedFeatures.restrict("manager", { featuresToRestrict: ["u.listUsers"] });
    return { ...sample, input: { featuresToAllow: ["u.listUsers"] } };
  },
  "set-role-permissions": async (world) => ({
    ...(await newRole(world)),
    input: { permissions: { sendMessage: "yes" } },
  }),
  "unset-role-permissions": async (world) => {
    const sample = await newRole(world);
    await world.chat.rolePermissions.set("manager", { permissions: { sendMessage: "yes" } });
    return sample;
  },
  "set-scope-permissions": () => ({ input: { permissions: { sendMessage: "yes" } } }),
  "usage-metrics": () => ({ input: { fromDate: 1_700_000_000_000, toDate: 1_700_003_600_000 } }),
  "create-reason": () => ({ input: { id: "off-topic", name: "Off topic", description: "…" } }),
  "get-reason-details": newReason,
  "update-reason-details": async (world) => ({ ...(await newReason(world)), input: { name: "Elsewhere" } }),
  "delete-reason": newReason,
  "flag-a-message": async (world) => {
    await newReason(world);
    return { path: (await message(world)).path ?? {}, input: { reasonId: "off-topic" }, onBehalfOf: "bob" };
  },
  "list-flagged-messages": async (world) => {
    await flagged(world);
    return {};
  },
  "blockreview-flagged-message": async (world) => ({
    ...(await flagged(world)),
    input: { status: "approved" },
  }),
  "review-blocked-message": async (world) => ({
    ...(await blocked(world)),
    input: { status: "approved", reviewed: true },
  }),
  "approve-moderation-blocked-messages": async (world) => ({
    ...(await blocked(world)),
    input: { status: "approved" },
  }),
  "create-rule": () => ({ input: rule }),
  "get-rule": newRule,
  "update-rule": async (world) => ({ ...(await newRule(world)), input: { ...rule, enabled: false } }),
  "delete-rule": newRule,
  "list-rule-revisions": newRule,
  "create-rule-keyword": () => ({
    input: { id: "rude", category: "word", searchTerms: ["darn"], file: file() },
  }),
  "get-rule-keyword": newKeywords,
  "update-rule-keyword": async (world) => ({
    ...(await newKeywords(world)),
    input: { category: "word", searchTerms: ["heck"] },
  }),
  "delete-rule-keyword": newKeywords,
  "chat-api-send-message-moderation": () => ({ input: { ...text, sender: "alice" } }),
  "chat-api-get-message-moderation": moderated,
  "chat-api-update-message-moderation": async (world) => ({
    ...(await moderated(world)),
    input: { data: { text: "x" } },
  }),
  "chat-api-delete-message-moderation": moderated,
  "notifications-push-update-settings": () => ({ input: { sound: { chat: "ding" } } }),
  "notifications-push-add-fcm-provider": () => ({ input: fcm }),
  "notifications-push-update-fcm-provider": async (world) => ({ ...(await newFcm(world)), input: fcm }),
  "notifications-push-delete-fcm-provider": newFcm,
  "notifications-push-default-fcm-provider": newFcm,
  "notifications-push-add-apns-provider": () => ({ input: apns }),
  "notifications-push-update-apns-provider": async (world) => ({ ...(await newApns(world)), input: apns }),
  "notifications-push-delete-apns-provider": newApns,
  "notifications-push-default-apns-provider": newApns,
  "notifications-push-list-preferences": () => ({ input: { uid: "alice" } }),
  "notifications-push-update-preferences": () => ({ input: { uid: "alice", usePrivacyTemplate: true } }),
  "notifications-push-reset-preferences": () => ({ input: { uid: "alice" } }),
  "notifications-push-register-token": async (world) => ({
    input: {
      ...(await newToken(world)).input,
      platform: "fcm_android",
      providerId: "fcm-1",
      fcmToken: "token-1",
    },
  }),
  "notifications-push-list-tokens": async (world) => ({ input: (await newToken(world)).input ?? {} }),
  "notifications-push-unregister-tokens": async (world) => ({ input: (await newToken(world)).input ?? {} }),
  "notifications-push-delete-token": newToken,
  "notifications-push-list-muted": () => ({ input: { uid: "alice" } }),
  "notifications-push-mute-conversations": () => ({
    input: { uid: "alice", conversations: [{ id: "bob", type: "oneOnOne", until: 4_000_000_000_000 }] },
  }),
  "notifications-push-unmute-conversations": () => ({
    input: { uid: "alice", conversations: [{ id: "bob", type: "oneOnOne" }] },
  }),
  "notifications-get-timezone": () => ({ input: { uid: "alice" } }),
  "notifications-update-timezone": () => ({ input: { uid: "alice", timezone: "Europe/Berlin" } }),
  "notifications-update-contact-details": () => ({ input: { email: "a@example.com" } }),
  "notifications-sms-save-twilio-details": () => ({ input: twilio }),
  "notifications-email-save-sendgrid-details": () => ({ input: sendGrid }),
  "notifications-save-push-custom-provider": () => ({ input: provider }),
  "notifications-save-sms-custom-provider": () => ({ input: { ...provider, useStoredPhNo: true } }),
  "notifications-save-email-custom-provider": () => ({ input: { ...provider, useStoredEmailID: true } }),
  "notifications-sms-update-twilio-details": async (world) => ({
    ...(await newTwilio(world)),
    input: { isEnabled: false },
  }),
  "notifications-email-update-sendgrid-details": async (world) => ({
    ...(await newSendGrid(world)),
    input: { isEnabled: false },
  }),
  "notifications-update-push-custom-provider": async (world) => ({
    ...(await newCustom(world)),
    input: { isEnabled: false },
  }),
  "notifications-update-sms-custom-provider": async (world) => ({
    ...(await newCustom(world)),
    input: { isEnabled: false },
  }),
  "notifications-update-email-custom-provider": async (world) => ({
    ...(await newCustom(world)),
    input: { isEnabled: false },
  }),
  "import-users": () => ({ input: { users: { zoe: newUser } } }),
  "import-groups": () => ({ input: { groups: { club: { guid: "club", name: "Club", type: "public" } } } }),
  "import-members": () => ({
    input: {
      members: { lobby_member_alice: { memberId: "lobby_member_alice", guid: "lobby", uid: "alice" } },
    },
  }),
  "import-messages": () => ({ input: { messages: { m1: importedMessage } } }),
  ...campaignSamples,
  "create-app": () => ({ input: { name: "Second", region: "eu" } }),
  "add-tenant": () => ({
    input: { name: "N", email: "n@example.com", password: "pass-1234", appName: "A", appRegion: "us" },
  }),
  "map-settings": () => ({ input: { settings: { "core.conversations.updateOnReplies": true } } }),
  "add-collaborator": () => ({ input: { admins: ["a@example.com"] } }),
  "create-webhook": () => ({ input: webhook }),
  "get-webhook": newWebhook,
  "update-webhook": async (world) => ({ ...(await newWebhook(world)), input: { enabled: true } }),
  "delete-webhook": newWebhook,
  "add-triggers": async (world) => ({
    ...(await newWebhook(world)),
    input: { triggerIds: ["user_blocked"] },
  }),
  "list-triggers": newWebhook,
  "remove-triggers": async (world) => ({
    ...(await newWebhook(world)),
    input: { triggerIds: ["message_sent"] },
  }),
  "enable-extension": () => ({ input: { enabled: ["polls"] } }),
  "upload-push-notification-certificate-p12": () => ({ input: { certificate: file() } }),
  "upload-push-notification-certificate-p8": () => ({ input: { certificate: file() } }),
};
