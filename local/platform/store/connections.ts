import type { Database } from "./database.ts";
import { deleteDocument, listDocuments, putDocument } from "./documents.ts";

/** Describes one open connection of a user's device. */
export type Connection = {
  uid: string;
  deviceId: string;
  sessionId: string;
  platform: string;
  connectedMs: number;
};

/** Lists the open connections of a user, oldest first. */
export function listConnections(db: Database, appId: string, uid: string): Connection[] {
  return listDocuments(db, appId, kind)
    .map(toConnection)
    .filter((connection) => connection.uid === uid);
}

/** Stores a connection; the same device again replaces it. */
export function putConnection(db: Database, appId: string, connection: Connection): void {
  putDocument(db, appId, kind, idOf(connection), { ...connection });
}

/** Removes a connection and tells whether it was there. */
export function removeConnection(
  db: Database,
  appId: string,
  connection: Pick<Connection, "uid" | "deviceId">,
): boolean {
  return deleteDocument(db, appId, kind, idOf(connection));
}

const kind = "connection";

function idOf({ uid, deviceId }: Pick<Connection, "uid" | "deviceId">): string {
  return `${uid}/${deviceId}`;
}

function toConnection(body: Record<string, unknown>): Connection {
  return {
    uid: String(body.uid),
    deviceId: String(body.deviceId),
    sessionId: String(body.sessionId),
    platform: String(body.platform),
    connectedMs: Number(body.connectedMs),
  };
}
