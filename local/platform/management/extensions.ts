import { ensure, itemResults } from "../errors/platform-error.ts";
import { textsOf } from "../http/fields.ts";
import { type ManagementRequest, managementFamily, replyPage } from "../http/route.ts";
import { deleteDocument, getDocument, putDocument } from "../store/database.ts";

/** No extension does anything. */
export const extensionRoutes = managementFamily({
  "enable-extension"(request) {
    const switchAll = (field: "enabled" | "disabled") =>
      itemResults(textsOf(request.body, field), (id) => {
        ensure(extensionIds.includes(id), "ERR_EXTENSION_NOT_FOUND", `The extension ${id} does not exist.`);
        if (field === "enabled") putDocument(request, kind, id, { id });
        else deleteDocument(request, kind, id);
        return { message: `The extension ${id} has been enabled successfully.` };
      });
    return { enabled: switchAll("enabled"), disabled: switchAll("disabled") };
  },
  "list-extensions": (request) =>
    replyPage(request.query, extensionIds, { show: (id) => show(request, id), perPage: 25 }),
});

function show(request: ManagementRequest, id: string) {
  return {
    id,
    name: id,
    tagLine: "",
    description: "",
    author: "CometChat",
    email: "help@cometchat.com",
    webhookURL: `https://${id}-${request.app.region}.cometchats.io`,
    accessToAppData: false,
    adminURL: "",
    websiteURL: "https://www.cometchat.com",
    isActive: isActive(request, id),
    isPrivate: false,
    isInvisible: false,
    isThirdParty: false,
    createdAt: 1_591_812_821,
    hooks: { data: [] },
    categories: { data: [] },
  };
}

export function isActive(request: ManagementRequest, id: string): boolean {
  return getDocument(request, kind, id) !== undefined;
}

const kind = "extension-enabled";

export type ExtensionSettings = {
  /** Default: a POST. The ids are of operations that do not follow the others. */
  hasStore?: false;
  updateId?: string;
  deleteId?: string;
  /** Default: the settings. `success` in `body.data`, `bare` in `body`, `plain` {settings}. */
  writeShows?: "success" | "bare" | "plain";
  /** Default: the usual envelope. */
  readShows?: "plain";
  /** Default: `body.data.success`; `nested` in settings, the emptied settings, or bare. */
  deleteShows?: "nested" | "settings" | "bare";
  hidesAppId?: true;
  writeShowsAppId?: true;
  /** Answers show `webhookURL`. */
  hasReplies?: true;
  /** Without the member `settings`. */
  isUnwrapped?: true;
};

/**
 * The answers' odd shapes are printed so.
 * @see docs/internals/platform/management.md#settings-of-extensions
 */
export const extensionSettings: Record<string, ExtensionSettings> = {
  "gifs-giphy": { deleteId: "delete-settings-giphy", deleteShows: "nested" },
  "gifs-tenor": {},
  "xss-filter": { deleteShows: "settings" },
  "image-moderation": { deleteShows: "nested", hidesAppId: true },
  "sentiment-analysis": { deleteShows: "settings" },
  "profanity-filter": { writeShows: "success" },
  "data-masking": {
    hasStore: false,
    updateId: "store-or-update-settings-data-masking",
    writeShows: "success",
  },
  "human-moderation": {},
  "report-user": {},
  "report-message": {},
  "voice-transcription": {},
  "stickers-stipop": {},
  stickers: { hasStore: false, writeShows: "success", isUnwrapped: true },
  "url-shortener-tinyurl": {},
  "url-shortener-bitly": {},
  intercom: { hasReplies: true, writeShowsAppId: true },
  chatwoot: { hasReplies: true, writeShowsAppId: true },
  "rich-media": {},
  "virus-malware-scanner": {},
  broadcast: {},
  e2ee: {},
  "email-replies": {},
  "email-notification": { hidesAppId: true },
  "sms-notification": {
    writeShows: "bare",
    deleteShows: "bare",
  },
  "push-notification": { writeShowsAppId: true, writeShows: "plain", readShows: "plain" },
  "message-shortcuts": { hidesAppId: true },
};

/** @see docs/internals/platform/management.md#extensions */
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
