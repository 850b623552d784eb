/** Settings by extension, as far as the platform documents them (platform facts: secondary-apis §2, extensions). */
export interface ExtensionSettings {
  "gifs-giphy": { giphyApiKey: string };
  "gifs-tenor": { tenorApiKey: string };
  "xss-filter": { dropMessage: boolean };
  "image-moderation": { dropMessage: boolean };
  "sentiment-analysis": { dropMessage: boolean };
  "profanity-filter": { dropMessage: boolean; badwords: string[] };
  "data-masking": {
    dropMessage: boolean;
    defaultRegexData: { id?: string; name?: string; regex?: string; enableFlag?: boolean }[];
    customregexData: { id?: string; name?: string; regex?: string }[];
    deleteCustomRegexData: string[];
  };
  "human-moderation": {
    allUserMessages: boolean;
    allGroupMessages: boolean;
    allMessages: boolean;
    senders: string[];
    receiverUsers: string[];
    receiverGroups: string[];
  };
  "report-user": Reporting;
  "report-message": Reporting;
  "voice-transcription": { revaiAPIKey: string };
  "stickers-stipop": { stipopApiKey: string; stipopAppId: string };
  stickers: {
    appId?: string;
    defaultMasterStickersData?: Record<string, unknown>[];
    customStickersData?: Record<string, unknown>[];
  };
  "url-shortener-tinyurl": { tinyUrlAPIToken: string; tinyUrlDomain: string };
  "url-shortener-bitly": { bitlyAccessToken: string; groupGUID: string };
  intercom: { intercomAccessToken: string; customerSupportUid: string };
  chatwoot: {
    chatwootAccessToken: string;
    chatwootAccountId: string;
    chatwootInboxId: string;
    customerSupportUid: string;
  };
  "rich-media": { iframelyApiKey: string };
  "virus-malware-scanner": { scaniiApiKey: string; scaniiSecretKey: string };
  broadcast: { apiVideoKey: string; recordVideo: boolean };
  e2ee: { virgilAppID: string; virgilAppKeyID: string; virgilAppKey: string };
  "email-replies": { sendEmailReplies: boolean; senderEmailForReplies?: string };
  "email-notification": {
    sendGridApiKey?: string;
    messageDelay: number;
    senderEmail: string;
    senderName: string;
    sendGridTemplateId: string;
    sendGridUnsubscribeGroupId: string;
    useWebhook: boolean;
    webhookURL: string;
    useWebhookBasicAuth: boolean;
    webhookUsername: string;
    webhookPassword: string;
  };
  "sms-notification": {
    fromMobileNo: string;
    messageDelay: number;
    twilioAccountSid: string;
    twilioAuthToken: string;
    websiteURL: string;
  };
  "push-notification": PushNotification;
  "message-shortcuts": { shortcuts: Record<string, string> };
  widget: {
    name: string;
    version: "v2";
    widgetId?: string;
    appId?: string;
    style?: Record<string, unknown>;
    sidebar?: Record<string, unknown>;
    main?: Record<string, unknown>;
  };
}

interface Reporting {
  maxReports: number;
  useWebhook: boolean;
  webhookURL?: string;
  basicAuthUsername?: string;
  basicAuthPassword?: string;
}

interface PushNotification {
  /** 2 token based, 0 both, 1 topic based. */
  version: 0 | 1 | 2;
  /** 1 FCM, 2 APNs, 0 both. */
  pushProvider: 0 | 1 | 2;
  fcmCredentials?: {
    project_id?: string;
    client_email?: string;
    private_key?: string;
    private_key_id?: string;
  };
  notificationInPayload?: Record<string, boolean>;
  useP8?: boolean;
  keyId?: string;
  teamId?: string;
  bundleId?: string;
  sendApnsProduction?: boolean;
  cometchatMessagePayloadOptions?: Record<string, boolean>;
  /** Which events notify, as `send…Notification`. */
  [send: `send${string}`]: boolean | undefined;
}
