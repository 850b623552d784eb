import type { Database } from "./database.ts";
import { getDocument, putDocument } from "./documents.ts";
import type { Generation } from "./webhooks.ts";

/** Tells which webhook engine an app runs. One app runs one of them, never both; a new app runs the current one. */
export function activeEngine(db: Database, appId: string): Generation {
  return getDocument(db, appId, kind, kind)?.generation === 1 ? 1 : 2;
}

/** Switches an app to an engine, as the dashboard does. Webhooks of the other one stay and wait. */
export function setActiveEngine(db: Database, appId: string, generation: Generation): void {
  putDocument(db, appId, kind, kind, { generation });
}

const kind = "webhook-engine";
