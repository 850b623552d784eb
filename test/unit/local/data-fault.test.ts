import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPrivateDatabase } from "../../../local/cloud/collection-store.ts";
import { toDataFault } from "../../../local/files/data-fault.ts";
import { Database } from "../../../local/platform/store/database.ts";
import { readClockSetting } from "../../../local/stack/clock/keep-clock.ts";

describe("data that cannot be used", () => {
  it.each([
    ["the platform's", (file: string) => new Database(file)],
    ["the cloud's", (file: string) => openPrivateDatabase(join(file, ".."), "data.sqlite", "")],
    ["the clock's", readClockSetting],
  ])("is named with its file and the remedy, if %s is damaged", (_whose, open) => {
    const folder = mkdtempSync(join(tmpdir(), "data-fault-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "data.sqlite");
    writeFileSync(file, "no database, ".repeat(100));

    expect(() => open(file)).toThrow(
      expect.objectContaining({ name: "DataFault", message: expect.stringContaining(file) }),
    );
  });

  it.each([
    [{ code: "ENOSPC" }, "The disk is full"],
    [{ code: "ERR_SQLITE_ERROR", errcode: 13 }, "The disk is full"],
    [{ code: "ERR_SQLITE_ERROR", errcode: 8 | (1 << 8) }, "cannot be read and written"],
    [{ code: "EROFS", path: "/other" }, "/other cannot be read and written"],
  ])("is told by %j", (error, says) => {
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

  it("is of another kind if a program is wrong", () => {
    expect(toDataFault(new TypeError("no"), "/data")).toBeUndefined();
  });
});
