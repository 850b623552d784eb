import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CollectionStore } from "../../../local/cloud/collection-store.ts";
import { Database } from "../../../local/platform/store/database.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

it("deleted rows are in no file of a data folder after the stack has ended", () => {
  const folder = temporaryFolder();
  const text = "canary".repeat(50);
  const platform = new Database(join(folder, "platform.sqlite"));
  const tables = new CollectionStore(folder, "tables");
  const journal = tables.journalOf("table");

  for (let seq = 0; seq < 100; seq += 1) {
    platform.put("documents", { appId: "app", kind: "kind", id: `${seq}`, seq, body: { text } });
    journal.put(`${seq}`, { text });
  }
  platform.run("DELETE FROM documents");
  for (let seq = 0; seq < 100; seq += 1) journal.remove(`${seq}`);
  platform.close();
  tables.close();

  const files = readdirSync(folder);
  expect(files).toHaveLength(2);
  expect(files.filter((file) => readFileSync(join(folder, file)).includes("canary"))).toEqual([]);
});
