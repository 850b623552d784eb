import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SqliteStore } from "../../lib/receive/own-hosts/stores/create-sqlite-store.ts";
import { messageDelivery } from "../../lib/receive/own-hosts/stores/sample-deliveries.ts";
import { StoreFileError } from "../../lib/receive/own-hosts/stores/sqlite/open-store-file.ts";
import { drain, far, makeFile, openStore } from "./helpers/stores.ts";

/** Puts messages with these ids, and returns each refusal; undefined for an accepted message. */
async function put(store: SqliteStore, ...ids: readonly string[]): Promise<unknown[]> {
  const putting = ids.map((id) => store.put(messageDelivery({ id }), far));
  const outcomes = await Promise.allSettled(putting);
  return outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : undefined));
}

/** Removes the named files beside a store's. */
function remove(store: { readonly file: string }, ...names: readonly string[]) {
  for (const name of names) rmSync(join(dirname(store.file), name));
}

describe("a store's files", () => {
  it.each(["events.db", "events.db-wal", "events.db-shm"])(
    "are noticed as missing after %s was removed, and further deliveries are refused",
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
    "keep acknowledged deliveries for the next process after %j were removed",
    async (names) => {
      const store = openStore();
      await put(store, "1", "2");
      remove(store, ...names);
      await put(store, "3");

      // As the process after a killed one finds it.
      const found = makeFile();
      copyFileSync(store.file, found);

      expect(await drain(openStore({}, found))).toHaveLength(2);
    },
  );

  it("stay unchanged if another process has created a log of its own", async () => {
    const store = openStore();
    await put(store, "1");
    remove(store, "events.db-wal");
    const before = readFileSync(store.file);
    writeFileSync(`${store.file}-wal`, "");

    const [refusal] = await put(store, "2");

    expect(refusal).toBeInstanceOf(StoreFileError);
    expect(readFileSync(store.file).equals(before)).toBe(true);
  });

  it("survive other openings and closings, and are accepted again after reopening", async () => {
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
