import type { Database } from "./database.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "./documents.ts";

/** Describes a customer's moderation service, which a rule names by the id of its list. */
export type ModerationService = {
  listId: string;
  url: string;
  credentials: { username: string; password: string } | undefined;
  /** The setting "On Custom API Error". @see docs/platform/moderation.md#failing-custom-api */
  onError: "approve-message" | "drop-message";
  /** How many earlier messages of the conversation are sent along, 0 to 10. */
  contextMessages: number;
};

/** Finds a service, or undefined. */
export function findModerationService(
  db: Database,
  appId: string,
  listId: string,
): ModerationService | undefined {
  const body = getDocument(db, appId, kind, listId);
  return body === undefined ? undefined : toService(body);
}

/** Lists the services of an app. */
export function listModerationServices(db: Database, appId: string): ModerationService[] {
  return listDocuments(db, appId, kind).map(toService);
}

/** Stores a service, new or changed. */
export function putModerationService(db: Database, appId: string, service: ModerationService): void {
  const { credentials, ...rest } = service;
  putDocument(db, appId, kind, service.listId, { ...rest, ...credentials });
}

/** Removes a service and tells whether it was there. */
export function deleteModerationService(db: Database, appId: string, listId: string): boolean {
  return deleteDocument(db, appId, kind, listId);
}

const kind = "moderation-service";

function toService(body: Record<string, unknown>): ModerationService {
  const { username, password } = body;
  return {
    listId: String(body.listId),
    url: String(body.url),
    credentials:
      typeof username === "string" && typeof password === "string" ? { username, password } : undefined,
    onError: body.onError === "drop-message" ? "drop-message" : "approve-message",
    contextMessages: Number(body.contextMessages),
  };
}
