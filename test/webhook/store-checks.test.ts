import { describe, expect, it } from "vitest";
import { StoreCheckError, webhookStoreChecks } from "../../lib/receive/own-hosts/stores/store-checks.ts";
import { brokenStores, openInMemory } from "./helpers/broken-stores.ts";
import { openSqlite, openSqs } from "./helpers/stores.ts";

describe.each([
  ["createSqliteStore", openSqlite],
  ["createSqsStore", openSqs],
])("%s", (_name, open) => {
  it.each(webhookStoreChecks(open))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

describe("webhookStoreChecks", () => {
  it("have unique names, and a broken store for each", () => {
    const names = webhookStoreChecks(openSqlite).map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(brokenStores).toSorted()).toEqual(names.toSorted());
  });

  it.each(Object.entries(brokenStores))("rejects a store that does not pass: %s", async (name, open) => {
    const check = webhookStoreChecks(open).find((one) => one.name === name);

    await expect(check?.run()).rejects.toThrow(StoreCheckError);
  });

  it.each(webhookStoreChecks(() => openInMemory()))("accepts a store in memory: $name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
