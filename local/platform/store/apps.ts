import type { Database, Row } from "./database.ts";
import { integerIn, textIn } from "./row.ts";

/** Describes one app of the platform. `createdAt` is in unix seconds. */
export type App = { appId: string; region: string; name: string; createdAt: number };

/** Finds an app by its id, or undefined. */
export function findApp(db: Database, appId: string): App | undefined {
  const row = db.get("SELECT * FROM apps WHERE app_id = ?", appId);
  return row === undefined ? undefined : toApp(row);
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
  return (
    db.get("SELECT 1 AS hit FROM management_keys WHERE key = ? AND secret = ?", key, secret) !== undefined
  );
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
