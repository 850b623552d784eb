import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { messageDelivery } from "../../lib/receive/stores/check-deliveries.ts";
import type { SqliteStore } from "../../lib/receive/stores/create-sqlite-store.ts";
import { StoreFileError } from "../../lib/receive/stores/sqlite/open-store-file.ts";
import { drain, far, makeFile, openStore } from "./helpers/stores.ts";

/** Puts messages with these ids, and gives why each was refused; undefined for one that was taken. */
async function put(store: SqliteStore, ...ids: readonly string[]): Promise<unknown[]> {
  const putting = ids.map((id) => store.put(messageDelivery({ id }), far));
  const outcomes = await Promise.allSettled(putting);
  return outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : undefined));
}

/** Removes files beside a store's, by name. */
function remove(store: { readonly file: string }, ...names: readonly string[]) {
  for (const name of names) rmSync(join(dirname(store.file), name));
}

describe("a store's files", () => {
  it.each(["events.db", "events.db-wal", "events.db-shm"])(
    "are missed where %s was removed: nothing more is taken",
    async (name) => {
      const store = openStore();
      await put(store, "1");
      remove(store, name);

      const refusals = await put(store, "2", "3");

      const message = expect.stringContaining(`${name} was removed or replaced while it was open`);
      expect(refusals).toEqual([expect.objectContaining({ message }), expect.objectContaining({ message })]);
      expect(refusals.every((error) => error instanceof StoreFileError)).toBe(true);
    },
  );

  it.each([[["events.db-wal"]], [["events.db-wal", "events.db-shm"]]])(
    "hold for the next process what was acknowledged before %j were removed",
    async (names) => {
      const store = openStore();
      await put(store, "1", "2");
      remove(store, ...names);
      await put(store, "3");

      // What a process finds that comes after one that was killed.
      const found = makeFile();
      copyFileSync(store.file, found);

      expect(await drain(openStore({}, found))).toHaveLength(2);
    },
  );

  it("are left alone where another process has put a log of its own", async () => {
    const store = openStore();
    await put(store, "1");
    remove(store, "events.db-wal");
    const before = readFileSync(store.file);
    writeFileSync(`${store.file}-wal`, "");

    const [refusal] = await put(store, "2");

    expect(refusal).toBeInstanceOf(StoreFileError);
    expect(readFileSync(store.file).equals(before)).toBe(true);
  });

  it("stay where others open and close them, and are taken again by who opens them anew", async () => {
    const store = openStore();
    await put(store, "1");
    const other = openStore({}, store.file);
    await put(other, "2");
    await other.close();
    const refusals = await put(store, "3");
    remove(store, `${basename(store.file)}-wal`);
    await put(store, "4");
    await store.close();

    const again = openStore({}, store.file);

    expect([...refusals, ...(await put(again, "4"))]).toEqual([undefined, undefined]);
    expect(await drain(again)).toHaveLength(4);
  });
});
