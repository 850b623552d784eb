import { existsSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tryNewFile, writeNewFile } from "../../../cli/write-new-file.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

it("removes a file that does not fit on the disk, with a hint", async () => {
  const file = join(temporaryFolder(), "two.json");
  const onFullDisk: typeof open = async (...args) => {
    const opened = await open(...args);
    const write = opened.writeFile.bind(opened);
    opened.writeFile = async (text) => {
      await write(String(text).slice(0, 4));
      throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    };
    return opened;
  };

  await expect(writeNewFile(file, '{"uid":"alice"}', onFullDisk)).rejects.toMatchObject({
    exitCode: 2,
    hint: expect.stringContaining("Make room"),
  });

  expect(existsSync(file)).toBe(false);
});

it("reports a missing folder", async () => {
  const written = writeNewFile(join(temporaryFolder(), "none/three.json"), "{}");

  await expect(written).rejects.toMatchObject({ hint: "Make its folder first." });
});

it("tests a file without leaving or replacing one", async () => {
  const file = join(temporaryFolder(), "four.json");

  await tryNewFile(file);

  expect(existsSync(file)).toBe(false);
  await writeNewFile(file, "{}");
  await expect(tryNewFile(file)).rejects.toMatchObject({ hint: "Name a file that does not exist." });
  expect(readFileSync(file, "utf8")).toBe("{}");
});
