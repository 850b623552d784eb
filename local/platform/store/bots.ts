import type { JsonObject } from "../json.ts";
import type { AppData } from "./database.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "./documents.ts";

/** Describes a bot: a user of the same uid exists beside it. */
export type Bot = {
  uid: string;
  /** Where it hears of messages; undefined: nowhere, it only writes. */
  url: string | undefined;
  credentials: { username: string; password: string } | undefined;
  /** Which messages of its groups it hears; the platform has such a setting, its values are not documented. */
  groupMessages: "none" | "mentioned" | "all";
};

/** Finds a bot, or undefined. */
export function findBot(data: AppData, uid: string): Bot | undefined {
  const body = getDocument(data, kind, uid);
  return body === undefined ? undefined : toBot(body);
}

/** Lists the bots of an app. */
export function listBots(data: AppData): Bot[] {
  return listDocuments(data, kind).map(toBot);
}

/** Stores a bot, new or changed. */
export function putBot(data: AppData, { credentials, ...bot }: Bot): void {
  putDocument(data, kind, bot.uid, { ...bot, ...credentials });
}

/** Removes a bot, but not its user, and tells whether it was there. */
export function deleteBot(data: AppData, uid: string): boolean {
  return deleteDocument(data, kind, uid);
}

const kind = "bot";

function toBot(body: JsonObject): Bot {
  const { username, password, groupMessages } = body;
  return {
    uid: String(body.uid),
    url: typeof body.url === "string" ? body.url : undefined,
    credentials:
      typeof username === "string" && typeof password === "string" ? { username, password } : undefined,
    groupMessages: groupMessages === "all" || groupMessages === "mentioned" ? groupMessages : "none",
  };
}
