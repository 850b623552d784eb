import { hash } from "node:crypto";
import { requireUserByUid } from "../chat/lookup.ts";
import type { JsonObject } from "../json.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { type AppData, deleteDocument, listDocuments, nextNumber, putDocument } from "../store/database.ts";
import { putUser } from "../store/users.ts";
import { showUser } from "../wire/show.ts";

/** `deviceId` is `web` by default. */
type Presence = { uid: string; deviceId?: string | undefined; platform?: string | undefined };

/** Replaces an earlier connection and fires again. */
export function connectUser(services: AppServices, presence: Presence): JsonObject {
  const { deviceId = "web", platform = "javascript" } = presence;
  const user = requireUserByUid(services, presence.uid);
  const isFirst = listConnections(services, user.uid).length === 0;
  const seed = `${services.appId}/connection/${nextNumber(services, "connection")}`;
  const connection: Connection = {
    uid: user.uid,
    deviceId,
    sessionId: hash("sha256", seed).slice(0, 10),
    platform,
    connectedMs: services.clock.now(),
  };
  putDocument(services, connectionKind, idOfConnection(connection), connection);
  return emitPresence(services, { connection, action: "connected", isChanged: isFirst, status: "online" });
}

export function disconnectUser(services: AppServices, presence: Presence): JsonObject {
  const { deviceId = "web" } = presence;
  const user = requireUserByUid(services, presence.uid);
  const open = listConnections(services, user.uid);
  const connection = open.find((item) => item.deviceId === deviceId);
  if (connection === undefined)
    throw new TypeError(`The device ${deviceId} of ${user.uid} is not connected.`);
  deleteDocument(services, connectionKind, idOfConnection(connection));
  const isLast = open.length === 1;
  const status = isLast ? "offline" : "online";
  return emitPresence(services, { connection, action: "disconnected", isChanged: isLast, status });
}

type Change = {
  connection: Connection;
  action: "connected" | "disconnected";
  isChanged: boolean;
  status: "online" | "offline";
};

// REST shows `available`, the event `online` (docs/internals/platform/events.md#users-in-events).
function emitPresence(services: AppServices, change: Change) {
  const { connection, action, isChanged, status } = change;
  const stored = requireUserByUid(services, connection.uid);
  const user = {
    ...stored,
    status: status === "online" ? "available" : "offline",
    lastActiveAt: nowSeconds(services),
  };
  putUser(services, user);
  const timestamp = services.clock.now();
  const data = {
    timestamp,
    user: { ...showUser(user), status },
    status,
    currentConnection: { action, platform: connection.platform, connectedAt: connection.connectedMs },
    userPresenceChanged: isChanged,
  };
  services.emit("user_connection_status_changed", data, {
    legacy: {
      // Its two names: docs/internals/platform/legacy-engine.md#legacy-triggers.
      subscription: "user_connection_status_change",
      trigger: "after_connection_status_changed",
      data: toLegacy(services, change, timestamp),
      origin: "WEBSOCKET",
    },
  });
  return data;
}

function toLegacy(services: AppServices, change: Change, atMs: number) {
  const { connection, action, isChanged, status } = change;
  return {
    user: { uid: connection.uid, status, status_updated: isChanged, status_updated_at: atMs },
    event: { type: action, at: atMs, event_for: showLegacy(connection) },
    connections: listConnections(services, connection.uid).map(showLegacy),
  };
}

function showLegacy({ connectedMs, deviceId, sessionId, platform }: Connection) {
  return {
    connected_at: connectedMs,
    cometchat_device_id: deviceId,
    session_id: sessionId,
    platform: platform === "android" || platform === "ios" ? platform : "web",
  };
}

type Connection = {
  uid: string;
  deviceId: string;
  sessionId: string;
  platform: string;
  connectedMs: number;
};

function listConnections(data: AppData, uid: string) {
  return listDocuments<Connection>(data, connectionKind).filter((connection) => connection.uid === uid);
}

const connectionKind = "connection";

function idOfConnection({ uid, deviceId }: Pick<Connection, "uid" | "deviceId">) {
  return `${uid}/${deviceId}`;
}
