/** Contains documented settings (docs/internals/platform/management.md#settings-of-extensions). */
export interface ExtensionSettings {
  readonly "gifs-giphy": { readonly giphyApiKey: string };
  readonly "gifs-tenor": { readonly tenorApiKey: string };
  readonly "xss-filter": { readonly dropMessage: boolean };
  readonly "image-moderation": { readonly dropMessage: boolean };
  readonly "sentiment-analysis": { readonly dropMessage: boolean };
  readonly "profanity-filter": { readonly dropMessage: boolean; readonly badwords: string[] };
  readonly "data-masking": {
    readonly dropMessage: boolean;
    readonly defaultRegexData: {
      readonly id?: string;
      readonly name?: string;
      readonly regex?: string;
      readonly enableFlag?: boolean;
    }[];
    readonly customregexData: { readonly id?: string; readonly name?: string; readonly regex?: string }[];
    readonly deleteCustomRegexData: string[];
  };
  readonly "human-moderation": {
    readonly allUserMessages: boolean;
    readonly allGroupMessages: boolean;
    readonly allMessages: boolean;
    readonly senders: string[];
    readonly receiverUsers: string[];
    readonly receiverGroups: string[];
  };
  readonly "report-user": Reporting;
  readonly "report-message": Reporting;
  readonly "voice-transcription": { readonly revaiAPIKey: string };
  readonly "stickers-stipop": { readonly stipopApiKey: string; readonly stipopAppId: string };
  readonly stickers: {
    readonly appId?: string;
    readonly defaultMasterStickersData?: Record<string, unknown>[];
    readonly customStickersData?: Record<string, unknown>[];
  };
  readonly "url-shortener-tinyurl": { readonly tinyUrlAPIToken: string; readonly tinyUrlDomain: string };
  readonly "url-shortener-bitly": { readonly bitlyAccessToken: string; readonly groupGUID: string };
  readonly intercom: { readonly intercomAccessToken: string; readonly customerSupportUid: string };
  readonly chatwoot: {
    readonly chatwootAccessToken: string;
    readonly chatwootAccountId: string;
    readonly chatwootInboxId: string;
    readonly customerSupportUid: string;
  };
  readonly "rich-media": { readonly iframelyApiKey: string };
  readonly "virus-malware-scanner": { readonly scaniiApiKey: string; readonly scaniiSecretKey: string };
  readonly broadcast: { readonly apiVideoKey: string; readonly recordVideo: boolean };
  readonly e2ee: {
    readonly virgilAppID: string;
    readonly virgilAppKeyID: string;
    readonly virgilAppKey: string;
  };
  readonly "email-replies": { readonly sendEmailReplies: boolean; readonly senderEmailForReplies?: string };
  readonly "email-notification": {
    readonly sendGridApiKey?: string;
    readonly messageDelay: number;
    readonly senderEmail: string;
    readonly senderName: string;
    readonly sendGridTemplateId: string;
    readonly sendGridUnsubscribeGroupId: string;
    readonly useWebhook: boolean;
    readonly webhookURL: string;
    readonly useWebhookBasicAuth: boolean;
    readonly webhookUsername: string;
    readonly webhookPassword: string;
  };
  readonly "sms-notification": {
    readonly fromMobileNo: string;
    readonly messageDelay: number;
    readonly twilioAccountSid: string;
    readonly twilioAuthToken: string;
    readonly websiteURL: string;
  };
  readonly "push-notification": PushNotification;
  readonly "message-shortcuts": { readonly shortcuts: Record<string, string> };
  readonly widget: {
    readonly name: string;
    readonly version: "v2";
    readonly widgetId?: string;
    readonly appId?: string;
    readonly style?: Record<string, unknown>;
    readonly sidebar?: Record<string, unknown>;
    readonly main?: Record<string, unknown>;
  };
}

interface Reporting {
  readonly maxReports: number;
  readonly useWebhook: boolean;
  readonly webhookURL?: string;
  readonly basicAuthUsername?: string;
  readonly basicAuthPassword?: string;
}

interface PushNotification {
  /** 2 token based, 0 both, 1 topic based. */
  readonly version: 0 | 1 | 2;
  /** 1 FCM, 2 APNs, 0 both. */
  readonly pushProvider: 0 | 1 | 2;
  readonly fcmCredentials?: {
    readonly project_id?: string;
    readonly client_email?: string;
    readonly private_key?: string;
    readonly private_key_id?: string;
  };
  readonly notificationInPayload?: Record<string, boolean>;
  readonly useP8?: boolean;
  readonly keyId?: string;
  readonly teamId?: string;
  readonly bundleId?: string;
  readonly sendApnsProduction?: boolean;
  readonly cometchatMessagePayloadOptions?: Record<string, boolean>;
  /** A setting of the form `send…Notification`. */
  readonly [send: `send${string}`]: boolean | undefined;
}
