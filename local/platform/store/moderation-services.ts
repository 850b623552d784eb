import type { AppData } from "./database.ts";
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
export function findModerationService(data: AppData, listId: string): ModerationService | undefined {
  const body = getDocument(data, kind, listId);
  return body === undefined ? undefined : toService(body);
}

/** Lists the services of an app. */
export function listModerationServices(data: AppData): ModerationService[] {
  return listDocuments(data, kind).map(toService);
}

/** Stores a service, new or changed. */
export function putModerationService(data: AppData, service: ModerationService): void {
  const { credentials, ...rest } = service;
  putDocument(data, kind, service.listId, { ...rest, ...credentials });
}

/** Removes a service and tells whether it was there. */
export function deleteModerationService(data: AppData, listId: string): boolean {
  return deleteDocument(data, kind, listId);
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
