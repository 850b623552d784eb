import { type AppData, integerIn } from "./database.ts";

/** Gives the next number of a counter of an app, from 1, never the same twice (also after deletes). */
export function nextNumber({ db, appId }: AppData, name: string): number {
  const row = db.get(
    `INSERT INTO counters (app_id, name, value) VALUES (?, ?, 1)
     ON CONFLICT (app_id, name) DO UPDATE SET value = value + 1 RETURNING value`,
    appId,
    name,
  );
  if (row === undefined) throw new Error(`Counter ${name} of app ${appId} gave no number.`);
  return integerIn(row, "value");
}

/** Makes numbers up to `value` never be given; what was given already stays given. */
export function skipNumbers({ db, appId }: AppData, name: string, value: number): void {
  db.run(
    `INSERT INTO counters (app_id, name, value) VALUES (?, ?, ?)
     ON CONFLICT (app_id, name) DO UPDATE SET value = max(value, excluded.value)`,
    appId,
    name,
    value,
  );
}
