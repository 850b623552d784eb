import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPrivateDatabase } from "../../../local/cloud/collection-store.ts";
import { SecretStore } from "../../../local/cloud/secret-store.ts";
import { Table } from "../../../local/cloud/table/table.ts";
import { toDataFault } from "../../../local/files/data-fault.ts";
import { Database } from "../../../local/platform/store/database.ts";
import { readClockSetting } from "../../../local/stack/clock/join-clock.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

describe("unusable data", () => {
  it.each([
    ["the platform's", (file: string) => new Database(file)],
    ["the cloud's", (file: string) => openPrivateDatabase(join(file, ".."), "data.sqlite", "")],
    ["the clock's", readClockSetting],
    ["the secrets'", (file: string) => new SecretStore(file)],
  ])("is reported with its file and the remedy, if %s is damaged", (_whose, open) => {
    const file = join(temporaryFolder({ "data.sqlite": "no database, ".repeat(100) }), "data.sqlite");

    expect(() => open(file)).toThrow(
      expect.objectContaining({ name: "DataFault", message: expect.stringContaining(file) }),
    );
  });

  it("is found at the start, if a page in the middle is damaged", () => {
    const file = join(temporaryFolder(), "data.sqlite");
    const database = new Database(file);
    for (let key = 0; key < 1_000; key += 1) {
      database.put("management_keys", { key: `key ${key}`, secret: "x".repeat(100) });
    }
    database.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, bytes.length - 8_192));

    expect(() => new Database(file)).toThrow(`${file} is damaged`);
  });

  it("changes nothing in memory that the disk refuses", () => {
    const keys = { hash: { name: "id", type: "S" } } as const;
    // biome-ignore format: one line
    const journal = { remove: () => {}, put: () => { throw new Error("full"); } };
    const table = new Table({ keys, indexes: {} }, { now: Date.now, journal });
    const item = { id: { S: "one" } };

    expect(() => table.put(item)).toThrow("full");
    expect(table.get(item)).toBeUndefined();
  });

  it.each([
    [{ code: "ENOSPC" }, "The disk is full"],
    [{ code: "ERR_SQLITE_ERROR", errcode: 13 }, "The disk is full"],
    [{ code: "ERR_SQLITE_ERROR", errcode: 10 | (3 << 8) }, "Free some space"],
    [{ code: "ERR_SQLITE_ERROR", errcode: 8 | (1 << 8) }, "cannot be read and written"],
    [{ code: "EROFS", path: "/other" }, "/other cannot be read and written"],
  ])("is recognized by %j", (error, says) => {
    expect(toDataFault(error, "/data")?.message).toContain(says);
  });

  it("keeps the cause of a transaction that SQLite has rolled back itself", () => {
    const database = new Database(undefined);
    const fill = () =>
      database.transaction(() => {
        database.run("ROLLBACK");
        throw new Error("database or disk is full");
      });

    expect(fill).toThrow("database or disk is full");
    expect(database.transaction(() => 1)).toBe(1);
  });

  it("is a different error if a program is wrong", () => {
    expect(toDataFault(new TypeError("no"), "/data")).toBeUndefined();
  });
});
