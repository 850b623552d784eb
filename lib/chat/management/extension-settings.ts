import * as z from "zod/mini";
import { record } from "../answers.ts";
import type { ChatRequest } from "../chat-request.ts";
import { fieldOf } from "../judge-answer.ts";
import type { Operation } from "../operation.ts";
import type { RequestOptions } from "../request-options.ts";
import { json } from "../schema.ts";
import type { ExtensionSettings } from "./extension-settings-types.ts";

/** @see docs/internals/platform/management.md#extensions */
export const extensionIds = [
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
] as const;

/** An extension. */
export type ExtensionId = (typeof extensionIds)[number];

/** Allows any object if the platform documents none. */
type SettingsOf<Id extends ExtensionId> = Id extends keyof ExtensionSettings
  ? ExtensionSettings[Id]
  : Record<string, unknown>;

/**
 * Settings of every extension.
 * @example
 * await management.extensionSettings.store(appId, "gifs-giphy", { giphyApiKey: "0123456789" });
 */
export interface ExtensionSettingsCalls {
  /** Stores settings for the first time. Not repeated after unclear failures, though harmless (inferred). */
  store<const Id extends Exclude<ExtensionId, "data-masking" | "stickers">>(
    appId: string,
    extensionId: Id,
    settings: SettingsOf<Id>,
    options?: RequestOptions,
  ): ChatRequest<Record<string, unknown>>;
  /** Changes settings. The widget to change is named by `widgetId`. Repeatable. */
  update<const Id extends ExtensionId>(
    appId: string,
    extensionId: Id,
    settings: SettingsOf<Id>,
    options?: RequestOptions,
  ): ChatRequest<Record<string, unknown>>;
  /**
   * Reads settings; secrets among them are returned in clear. Errors: ERR_EXTENSION_NOT_FOUND. Repeatable.
   */
  get(
    appId: string,
    extensionId: ExtensionId,
    options?: RequestOptions,
  ): ChatRequest<Record<string, unknown>>;
  /** Clears settings. Repeatable. */
  delete(
    appId: string,
    extensionId: Exclude<ExtensionId, "widget">,
    options?: RequestOptions,
  ): ChatRequest<Record<string, unknown>>;
}

const path = "/apps/{appId}/extensions/{extensionId}/{version}/settings";
const input = () => json();
const documented = "several";

/**
 * `version`: v2 for the widget, v1 for all others
 * (docs/internals/platform/management.md#settings-of-extensions).
 */
export const settingsOperations = {
  store: {
    id: "store-extension-settings",
    request: `POST ${path}`,
    input,
    answer: settingsAnswer,
    documented,
  },
  update: {
    id: "update-extension-settings",
    request: `PUT ${path}`,
    input,
    answer: settingsAnswer,
    documented,
  },
  get: { id: "get-extension-settings", request: `GET ${path}`, answer: settingsAnswer, documented },
  delete: { id: "delete-extension-settings", request: `DELETE ${path}`, answer: settingsAnswer, documented },
} as const satisfies Record<string, Operation>;

/** @see docs/internals/platform/management.md#settings-of-extensions */
export const requiredSettings: Readonly<Partial<Record<ExtensionId, readonly string[]>>> = {
  "gifs-giphy": ["giphyApiKey"],
  "gifs-tenor": ["tenorApiKey"],
  "xss-filter": ["dropMessage"],
  "image-moderation": ["dropMessage"],
  "sentiment-analysis": ["dropMessage"],
  "profanity-filter": ["dropMessage", "badwords"],
  "data-masking": ["dropMessage", "defaultRegexData", "customregexData", "deleteCustomRegexData"],
  "human-moderation": [
    "allUserMessages",
    "allGroupMessages",
    "allMessages",
    "senders",
    "receiverUsers",
    "receiverGroups",
  ],
  "report-user": ["maxReports", "useWebhook"],
  "report-message": ["maxReports", "useWebhook"],
  "voice-transcription": ["revaiAPIKey"],
  "stickers-stipop": ["stipopApiKey", "stipopAppId"],
  "url-shortener-tinyurl": ["tinyUrlAPIToken", "tinyUrlDomain"],
  "url-shortener-bitly": ["bitlyAccessToken", "groupGUID"],
  intercom: ["intercomAccessToken", "customerSupportUid"],
  chatwoot: ["chatwootAccessToken", "chatwootAccountId", "chatwootInboxId", "customerSupportUid"],
  "rich-media": ["iframelyApiKey"],
  "virus-malware-scanner": ["scaniiApiKey", "scaniiSecretKey"],
  broadcast: ["apiVideoKey", "recordVideo"],
  e2ee: ["virgilAppID", "virgilAppKeyID", "virgilAppKey"],
  "email-replies": ["sendEmailReplies"],
  "email-notification": [
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
  "sms-notification": ["fromMobileNo", "messageDelay", "twilioAccountSid", "twilioAuthToken", "websiteURL"],
  "push-notification": ["version", "pushProvider"],
  "message-shortcuts": ["shortcuts"],
  widget: ["name", "version"],
};

/** Reads the extension's own answer, in `data`: its `body.data.settings`, `body.data` or `body`. */
function settingsAnswer() {
  return z.pipe(
    z.transform((data: unknown) => {
      const body = fieldOf(data, "body") ?? data;
      const inner = fieldOf(body, "data") ?? body;
      const settings = fieldOf(inner, "settings") ?? inner;
      return Array.isArray(settings) ? { items: settings } : settings;
    }),
    record(),
  );
}
