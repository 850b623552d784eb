import type { AppData } from "./database.ts";
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
export function listConnections(data: AppData, uid: string): Connection[] {
  return listDocuments(data, kind)
    .map(toConnection)
    .filter((connection) => connection.uid === uid);
}

/** Stores a connection; the same device again replaces it. */
export function putConnection(data: AppData, connection: Connection): void {
  putDocument(data, kind, idOf(connection), { ...connection });
}

/** Removes a connection and tells whether it was there. */
export function removeConnection(data: AppData, connection: Pick<Connection, "uid" | "deviceId">): boolean {
  return deleteDocument(data, kind, idOf(connection));
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
