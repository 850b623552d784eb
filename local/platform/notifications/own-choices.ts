import { isJsonObject, type JsonObject } from "../json.ts";
import type { Services } from "../services/services.ts";
import type { AppData } from "../store/database.ts";
import { getDocument } from "../store/documents.ts";

// What users have chosen for themselves, as the operations store it and the notifications obey it.

/** What a user does not want to hear of until a time in milliseconds. `id` is a uid or guid. */
export type Muted = { id: string; type: "oneOnOne" | "group"; until: number };

/** Lists what a user has muted at present. */
export function mutedBy(services: AppData & Pick<Services, "clock">, uid: string): Muted[] {
  const stored = getDocument(services, mutedKind, uid)?.conversations;
  return Array.isArray(stored)
    ? stored.filter(isMuted).filter(({ until }) => until > services.clock.now())
    : [];
}

/** Gives a user's timezone, an IANA name. */
export function timezoneOf(services: AppData, uid: string): string {
  const timezone = getDocument(services, timezoneKind, uid)?.timezone;
  return typeof timezone === "string" ? timezone : "UTC";
}

/** Finds a user's preferences by the names of the requests; undefined until the user has changed one. */
export function findPreferences(services: AppData, uid: string): JsonObject | undefined {
  return getDocument(services, preferencesKind, uid);
}

/** Names the documents of preferences. */
export const preferencesKind = "notification-preferences";

/** Names the documents of what is muted. */
export const mutedKind = "muted-conversations";

/** Names the documents of timezones. */
export const timezoneKind = "timezone";

function isMuted(value: unknown): value is Muted {
  return isJsonObject(value) && typeof value.id === "string" && typeof value.until === "number";
}
