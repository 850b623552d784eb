import type { AppData } from "./database.ts";
import { getDocument, listDocuments, putDocument } from "./documents.ts";

// What only the platform's dashboard can set up: bots and the customer's moderation services. Their
// credentials are stored without an object around them, where redaction finds them.

/** Describes a bot: a user of the same uid exists beside it. */
export type Bot = Partial<Credentials> & {
  uid: string;
  /** Where messages are sent to it; undefined: nowhere, it only writes. */
  url?: string | undefined;
  /**
   * Which messages of its groups it receives; the platform has such a setting, its values are not documented.
   */
  groupMessages: "none" | "mentioned" | "all";
};

/** Describes a customer's moderation service, which a rule names by the id of its list. */
export type ModerationService = Partial<Credentials> & {
  listId: string;
  url: string;
  /** The setting "On Custom API Error". @see docs/internals/platform/moderation.md#failing-custom-api */
  onError: "approve-message" | "drop-message";
  /** How many earlier messages of the conversation are sent along, 0 to 10. */
  contextMessages: number;
};

/** Finds a bot, or undefined. */
export function findBot(data: AppData, uid: string): Bot | undefined {
  return getDocument(data, "bot", uid);
}

/** Lists the bots of an app. */
export function listBots(data: AppData): Bot[] {
  return listDocuments(data, "bot");
}

/** Stores a bot, new or changed. */
export function putBot(data: AppData, bot: Bot): void {
  putDocument(data, "bot", bot.uid, bot);
}

/** Names the documents of moderation services. */
export const serviceKind = "moderation-service";

type Credentials = { username: string; password: string };

/** Returns the credentials of a bot or service that has both parts. */
export function ownCredentials({ username, password }: Partial<Credentials>): Credentials | undefined {
  return username === undefined || password === undefined ? undefined : { username, password };
}
