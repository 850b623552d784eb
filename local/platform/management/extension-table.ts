/**
 * Describes the settings of one extension. `required` are fields of `settings` that a write must hold.
 * `deleteId` is the operation id where it does not follow the others.
 */
export type ExtensionSettings = {
  required: readonly string[];
  /** Without `store` there is no POST; `update` is the operation id of PUT where it does not follow the others. */
  hasStore?: false;
  updateId?: string;
  deleteId?: string;
  /** What a write shows: the settings (default), `success` in `body.data`, `bare` success in `body`, `plain` {settings}. */
  writeShows?: "success" | "bare" | "plain";
  /** What GET shows where it is not the usual envelope. */
  readShows?: "plain";
  /** What DELETE shows: `body.data.success` (default), `body.data.settings.success`, the emptied settings, or bare. */
  deleteShows?: "nested" | "settings" | "bare";
  /** GET leaves `appId` out. */
  hidesAppId?: true;
  /** The body is the settings themselves, without the member `settings`. */
  isUnwrapped?: true;
};

/**
 * Lists the extensions with stored settings at `/extensions/<id>/v1/settings`; the answers' odd shapes are the printed
 * ones. @see docs/platform/management.md#settings-of-extensions
 */
export const extensionSettings: Record<string, ExtensionSettings> = {
  "gifs-giphy": { required: ["giphyApiKey"], deleteId: "delete-settings-giphy", deleteShows: "nested" },
  "gifs-tenor": { required: ["tenorApiKey"] },
  "xss-filter": { required: ["dropMessage"], deleteShows: "settings" },
  "image-moderation": { required: ["dropMessage"], deleteShows: "nested", hidesAppId: true },
  "sentiment-analysis": { required: ["dropMessage"], deleteShows: "settings" },
  "profanity-filter": { required: ["dropMessage", "badwords"], writeShows: "success" },
  "data-masking": {
    required: ["dropMessage", "customregexData", "defaultRegexData", "deleteCustomRegexData"],
    hasStore: false,
    updateId: "store-or-update-settings-data-masking",
    writeShows: "success",
  },
  "human-moderation": {
    required: [
      "allUserMessages",
      "allGroupMessages",
      "senders",
      "receiverGroups",
      "receiverUsers",
      "allMessages",
    ],
  },
  "report-user": { required: ["maxReports", "useWebhook"] },
  "report-message": { required: ["maxReports", "useWebhook"] },
  "voice-transcription": { required: ["revaiAPIKey"] },
  "stickers-stipop": { required: ["stipopApiKey", "stipopAppId"] },
  stickers: { required: [], hasStore: false, writeShows: "success", isUnwrapped: true },
  "url-shortener-tinyurl": { required: ["tinyUrlAPIToken", "tinyUrlDomain"] },
  "url-shortener-bitly": { required: ["bitlyAccessToken", "groupGUID"] },
  intercom: { required: ["intercomAccessToken", "customerSupportUid"] },
  chatwoot: {
    required: ["chatwootAccessToken", "chatwootAccountId", "chatwootInboxId", "customerSupportUid"],
  },
  "rich-media": { required: ["iframelyApiKey"] },
  "virus-malware-scanner": { required: ["scaniiApiKey", "scaniiSecretKey"] },
  broadcast: { required: ["apiVideoKey", "recordVideo"] },
  e2ee: { required: ["virgilAppID", "virgilAppKeyID", "virgilAppKey"] },
  "email-replies": { required: ["sendEmailReplies"] },
  "email-notification": {
    required: [
      "messageDelay",
      "senderEmail",
      "senderName",
      "sendGridTemplateId",
      "sendGridUnsubscribeGroupId",
      "useWebhook",
      "webhookURL",
      "useWebhookBasicAuth",
      "webhookUsername",
      "webhookPassword",
    ],
  },
  "sms-notification": {
    required: ["fromMobileNo", "messageDelay", "twilioAccountSid", "twilioAuthToken", "websiteURL"],
    writeShows: "bare",
    deleteShows: "bare",
  },
  "push-notification": { required: ["version", "pushProvider"], writeShows: "plain", readShows: "plain" },
  "message-shortcuts": { required: ["shortcuts"], hidesAppId: true },
};

/** Lists the 45 extensions. @see docs/platform/management.md#extensions */
export const extensionIds: readonly string[] = [
  "live-migration-applozic",
  "avatar",
  "url-shortener-bitly",
  "widget",
  "chatwoot",
  "document",
  "whiteboard",
  "data-masking",
  "disappearing-messages",
  "email-notification",
  "email-replies",
  "emojis",
  "e2ee",
  "gifs-gfycat",
  "gifs-giphy",
  "image-moderation",
  "human-moderation",
  "intercom",
  "link-preview",
  "mentions",
  "message-shortcuts",
  "message-translation",
  "pin-message",
  "polls",
  "profanity-filter",
  "push-notification",
  "reactions",
  "reminders",
  "report-message",
  "report-user",
  "rich-media",
  "save-message",
  "sentiment-analysis",
  "slow-mode",
  "smart-reply",
  "sms-notification",
  "stickers",
  "stickers-stipop",
  "gifs-tenor",
  "thumbnail-generation",
  "url-shortener-tinyurl",
  "broadcast",
  "virus-malware-scanner",
  "voice-transcription",
  "xss-filter",
];
