import type { AppData } from "./database.ts";
import { listDocuments, putDocument } from "./documents.ts";

// What only the platform's dashboard can set up: bots and the customer's moderation services.

/** Describes a bot: a user of the same uid exists beside it. */
export type Bot = {
  uid: string;
  /** Where messages are sent to it; undefined: nowhere, it only writes. */
  url?: string | undefined;
  credentials: Credentials | undefined;
  /** Which messages of its groups it receives; the platform has such a setting, its values are not documented. */
  groupMessages: "none" | "mentioned" | "all";
};

/** Describes a customer's moderation service, which a rule names by the id of its list. */
export type ModerationService = {
  listId: string;
  url: string;
  credentials: Credentials | undefined;
  /** The setting "On Custom API Error". @see docs/internals/platform/moderation.md#failing-custom-api */
  onError: "approve-message" | "drop-message";
  /** How many earlier messages of the conversation are sent along, 0 to 10. */
  contextMessages: number;
};

/** Finds a bot, or undefined. */
export function findBot(data: AppData, uid: string): Bot | undefined {
  return listBots(data).find((bot) => bot.uid === uid);
}

/** Lists the bots of an app. */
export function listBots(data: AppData): Bot[] {
  return listDocuments<Stored<Bot>>(data, "bot").map(withCredentials);
}

/** Stores a bot, new or changed. */
export function putBot(data: AppData, { credentials, ...bot }: Bot): void {
  putDocument(data, "bot", bot.uid, { ...bot, ...credentials });
}

/** Finds a service, or undefined. */
export function findModerationService(data: AppData, listId: string): ModerationService | undefined {
  return listModerationServices(data).find((service) => service.listId === listId);
}

/** Lists the services of an app. */
export function listModerationServices(data: AppData): ModerationService[] {
  return listDocuments<Stored<ModerationService>>(data, serviceKind).map(withCredentials);
}

/** Stores a service, new or changed. */
export function putModerationService(data: AppData, { credentials, ...service }: ModerationService): void {
  putDocument(data, serviceKind, service.listId, { ...service, ...credentials });
}

/** Names the documents of moderation services. */
export const serviceKind = "moderation-service";

type Credentials = { username: string; password: string };

// Stored without an object around them, where redaction finds them.
type Stored<T> = Omit<T, "credentials"> & Partial<Credentials>;

function withCredentials<T>({ username, password, ...rest }: Stored<T>) {
  const credentials = username === undefined || password === undefined ? undefined : { username, password };
  return { ...rest, credentials };
}
