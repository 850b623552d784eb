import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { writeNewApp } from "../../tools/package/write-new-app.ts";
import { packPackage } from "../helpers/packed-package.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const root = join(import.meta.dirname, "../..");

/** Runs the script as npm does: in the repository, with the folder of the command line. */
function runNewApp(typedIn: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "tools/package/new-app.ts"), ...words],
    { cwd: root, env: { ...process.env, INIT_CWD: typedIn }, encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

describe("npm run new-app", () => {
  it("asks for a folder", () => {
    expect(runNewApp(root)).toEqual({
      status: 2,
      stdout: "",
      stderr: "Name the app's folder, as in: npm run new-app -- ../my-app. See --help.\n",
    });
  });

  it("refuses a non-empty folder, relative to the caller's folder, before it packs anything", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "my-app"));
    writeFileSync(join(folder, "my-app/notes.txt"), "mine");

    const refused = runNewApp(folder, "my-app");

    const place = join(folder, "my-app");
    expect(refused).toMatchObject({
      status: 3,
      stdout: "",
      stderr: expect.stringContaining(`${place} is not empty: it has notes.txt.`),
    });
    expect(readdirSync(place)).toEqual(["notes.txt"]);
  });

  it("refuses a folder inside the repository, which would resolve the repository's packages", () => {
    const { status, stderr } = runNewApp(root, "my-app");

    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining("Choose a folder outside of it, such as ../my-app."),
    });
    expect(existsSync(join(root, "my-app"))).toBe(false);
  });

  it("makes an app that contains the packed file and installs the package from it", async () => {
    const folder = join(temporaryFolder(), "my-app");

    writeNewApp(folder, "shop-chat", await packPackage());

    const { name, dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const [, file = ""] =
      /^file:(cometchat-functions-[\d.]+\.tgz)$/.exec(dependencies["cometchat-functions"]) ?? [];
    expect(name).toBe("shop-chat");
    expect(readdirSync(folder)).toContain(file);
  });
});
