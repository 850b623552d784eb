import { isJsonObject } from "../json.ts";
import type { App } from "../store/apps.ts";
import type { Database } from "../store/database.ts";
import { getDocument, putDocument } from "../store/documents.ts";
import type { Peer } from "./conversation-lookup.ts";

/** Describes a conversation pinned for the whole app. `pinnedAt` is in unix seconds. */
export type GlobalPin = Peer & { pinnedAt: number };

/** Lists the app-wide pins in display order. */
export function listGlobalPins(db: Database, app: App): GlobalPin[] {
  const pins = getDocument(db, app.appId, kind, "all")?.pins;
  return Array.isArray(pins) ? pins.filter(isGlobalPin) : [];
}

/** Replaces the app-wide pins. */
export function putGlobalPins(db: Database, app: App, pins: readonly GlobalPin[]): void {
  putDocument(db, app.appId, kind, "all", { pins });
}

/** Finds the pin of a peer, or undefined. */
export function findGlobalPin(pins: readonly GlobalPin[], peer: Peer): GlobalPin | undefined {
  return pins.find((pin) => pin.type === peer.type && pin.id === peer.id);
}

const kind = "global-pins";

function isGlobalPin(value: unknown): value is GlobalPin {
  return isJsonObject(value) && typeof value.id === "string" && typeof value.pinnedAt === "number";
}
