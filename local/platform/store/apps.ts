import { type Database, integerIn, type Row, textIn } from "./database.ts";

/** Describes one app of the platform. `createdAt` is in unix seconds. */
export type App = { appId: string; region: string; name: string; createdAt: number };

/** Stands in where a path names no app. What belongs to the account is stored under its empty id, which no app has. */
export const noApp: App = { appId: "", region: "", name: "", createdAt: 0 };

/** Finds an app by its id, or undefined. */
export function findApp(db: Database, appId: string): App | undefined {
  return db.first(toApp, "SELECT * FROM apps WHERE app_id = ?", appId);
}

/** Lists all apps, oldest first. */
export function listApps(db: Database): App[] {
  return db.all("SELECT * FROM apps ORDER BY created_at, app_id").map(toApp);
}

/** Stores a new app. */
export function insertApp(db: Database, app: App): void {
  db.run(
    "INSERT INTO apps (app_id, region, name, created_at) VALUES (?, ?, ?, ?)",
    app.appId,
    app.region,
    app.name,
    app.createdAt,
  );
}

/** Tells whether a management key and secret belong together. */
export function isManagementKey(db: Database, key: string, secret: string): boolean {
  return db.has("SELECT 1 AS hit FROM management_keys WHERE key = ? AND secret = ?", key, secret);
}

/** Stores a management key and secret; the same again does nothing. */
export function putManagementKey(db: Database, key: string, secret: string): void {
  db.run("INSERT OR REPLACE INTO management_keys (key, secret) VALUES (?, ?)", key, secret);
}

function toApp(row: Row): App {
  return {
    appId: textIn(row, "app_id"),
    region: textIn(row, "region"),
    name: textIn(row, "name"),
    createdAt: integerIn(row, "created_at"),
  };
}
