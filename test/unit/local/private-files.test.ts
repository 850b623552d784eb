import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SecretStore } from "../../../local/cloud/secret-store.ts";
import { lockFolder } from "../../../local/files/lock-folder.ts";
import { makePrivateDatabase, replacePrivateFile } from "../../../local/files/private-files.ts";
import { openSnapshotFolder } from "../../../local/stack/snapshots/snapshot-shelf.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

/** A folder that others can write to, and a file of theirs. */
function sharedFolder() {
  const folder = temporaryFolder();
  const theirs = join(folder, "theirs");
  writeFileSync(theirs, "theirs");
  return { folder, theirs };
}

describe.each<[what: string, file: string, write: (folder: string, file: string) => void]>([
  ["a file that is replaced", "world.json", (_, file) => replacePrivateFile(file, "secret")],
  ["a snapshot", "one.snapshot", (folder) => openSnapshotFolder(folder).write("one", Buffer.from("secret"))],
  ["the secrets", "secrets.json", (_, file) => new SecretStore(file).save()],
])("%s", (_, name, write) => {
  it.each<[string, (beside: string, theirs: string) => void]>([
    ["a link", (beside, theirs) => symlinkSync(theirs, beside)],
    ["a readable file", (beside) => writeFileSync(beside, "", { mode: 0o666 })],
  ])("is written despite %s planted beside it", (_kind, plant) => {
    const { folder, theirs } = sharedFolder();
    const file = join(folder, name);
    plant(`${file}.new`, theirs);

    write(folder, file);

    expect(readFileSync(theirs, "utf8")).toBe("theirs");
    expect(readFileSync(file, "utf8")).not.toBe("");
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe("a planted link", () => {
  it.each(["platform.sqlite", "platform.sqlite-wal", "platform.sqlite-shm"])(
    "is not opened as %s",
    (file) => {
      const { folder, theirs } = sharedFolder();
      symlinkSync(theirs, join(folder, file));

      expect(() => makePrivateDatabase(folder, "platform.sqlite")).toThrow(/ELOOP/);
      expect(readFileSync(theirs, "utf8")).toBe("theirs");
    },
  );

  it("is replaced as world.pid", () => {
    const { folder, theirs } = sharedFolder();
    symlinkSync(theirs, join(folder, "world.pid"));

    lockFolder(folder).release();

    expect(readFileSync(theirs, "utf8")).toBe("theirs");
  });
});
