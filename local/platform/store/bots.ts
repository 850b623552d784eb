import { type AppData, deleteDocument, getDocument, listDocuments, putDocument } from "./database.ts";

// Credentials are at the top level, where redaction finds them.

export type Bot = Partial<Credentials> & {
  uid: string;
  /** Undefined if the bot only writes. */
  url?: string | undefined;
  groupMessages: "none" | "mentioned" | "slashed" | "all";
  /** Default: true. */
  enabled?: boolean;
  /** Default: true with credentials. */
  useBasicAuth?: boolean;
  createdAt?: number;
  updatedAt?: number;
};

/** Maps the platform's names to those of the stored form. */
export const groupSettings = {
  allMessages: "all",
  slashedMessages: "slashed",
  mentionedMessages: "mentioned",
  none: "none",
} as const;

export const groupChatSettings = ["allMessages", "slashedMessages", "mentionedMessages", "none"] as const;

/** A rule names it by the id of its list. */
export type ModerationService = Partial<Credentials> & {
  listId: string;
  url: string;
  /** @see docs/internals/platform/moderation.md#failing-custom-api */
  onError: "approve-message" | "drop-message";
  contextMessages: number;
};

export const maxBots = 25;

export function findBot(data: AppData, uid: string): Bot | undefined {
  return getDocument(data, "bot", uid);
}

export function listBots(data: AppData): Bot[] {
  return listDocuments(data, "bot");
}

export function putBot(data: AppData, bot: Bot): void {
  putDocument(data, "bot", bot.uid, bot);
}

export function deleteBot(data: AppData, uid: string): boolean {
  return deleteDocument(data, "bot", uid);
}

export function hasBasicAuth(bot: Bot): boolean {
  return bot.useBasicAuth ?? ownCredentials(bot) !== undefined;
}

export const serviceKind = "moderation-service";

type Credentials = { username: string; password: string };

export function ownCredentials({ username, password }: Partial<Credentials>): Credentials | undefined {
  return username === undefined || password === undefined ? undefined : { username, password };
}
