import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { initApp } from "../../../cli/init/init-app.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

/** Runs the program as it is typed, in an empty folder. */
function runInit(folder: string, ...options: readonly string[]) {
  const cwd = temporaryFolder();
  const main = join(import.meta.dirname, "../../../cli/init/main.ts");
  const words = [main, "init", ...options, "--", folder];
  return { ...spawnSync(process.execPath, words, { cwd, encoding: "utf8" }), cwd };
}

describe("initApp", () => {
  it("writes the template with the app's name, and a .gitignore", () => {
    const folder = join(temporaryFolder(), "deep", "shop");

    const { files } = initApp(folder, "shop-chat");

    expect(files).toBe(
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).length,
    );
    expect(readFileSync(join(folder, "serverless.yml"), "utf8")).toMatch(/^service: shop-chat$/m);
    expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toMatchObject({
      name: "shop-chat",
      dependencies: { "cometchat-functions": expect.stringMatching(/^(>=0\.\d+\.\d+ <1\.0\.0|\^[1-9])/) },
    });
    expect(readFileSync(join(folder, ".gitignore"), "utf8")).toContain("node_modules/");
  });

  it.for([
    ["npm/10.8.2 node/v20.19.0 linux x64", ">=20.19"],
    ["npm/11.6.0 node/v24.2.0 darwin arm64", ">=24"],
  ] as const)("on %s, the app runs on Node %s", ([agent, engines]) => {
    vi.stubEnv("npm_config_user_agent", agent);
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = temporaryFolder();
    initApp(folder, "shop-chat");

    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(manifest.engines.node).toBe(engines);
  });

  it("accepts a folder that contains only version control", () => {
    expect(() => initApp(temporaryFolder({ ".git/HEAD": "" }), "shop")).not.toThrow();
  });

  it.each<[string, (parent: string) => void, string, code: number, says: string]>([
    ["with content", (parent) => writeFileSync(join(parent, "notes.txt"), "mine"), ".", 3, "is not empty"],
    [
      "that is a broken link",
      (parent) => symlinkSync("gone", join(parent, "shop")),
      "shop",
      2,
      "is a broken link",
    ],
    ["that is a file", (parent) => writeFileSync(join(parent, "shop"), ""), "shop", 2, "is a file"],
    [
      "below a file",
      (parent) => writeFileSync(join(parent, "file"), ""),
      "file/shop",
      2,
      "Choose another folder",
    ],
  ])("refuses a folder %s, and changes nothing", (_case, prepare, path, exitCode, says) => {
    const parent = temporaryFolder();
    prepare(parent);
    const before = readdirSync(parent);

    expect(() => initApp(join(parent, path), "shop")).toThrow(
      expect.objectContaining({ exitCode, message: expect.stringContaining(says) }),
    );
    expect(readdirSync(parent)).toEqual(before);
  });

  it("refuses an empty folder name, as from an unset variable", () => {
    const { status, stderr } = runInit("", "--name", "shop");

    expect([status, stderr]).toEqual([2, expect.stringContaining("The folder's name is empty: omit it")]);
  });

  it("prints a cd command that works for any folder name", () => {
    const { stdout, cwd } = runInit("-It's $HOME", "--name", "shop");
    const [, line = ""] = /^ {2}(cd .*)$/m.exec(stdout) ?? [];

    expect(stdout).toContain("npm install");
    expect(execFileSync("sh", ["-c", `${line} && pwd`], { cwd, encoding: "utf8" })).toContain(
      "/-It's $HOME\n",
    );
  });

  it.each([
    ["My Shop", "my-shop"],
    ["2 Caf\u00e9s, Zo\u00e9", "cafes-zoe"],
    ["zod", "my-app"],
  ])("suggests a valid name in place of %j", (name, like) => {
    const folder = temporaryFolder();

    expect(() => initApp(folder, name)).toThrow(`as in: --name ${like}`);
  });

  it.each([
    ...["", "s", "Shop", "1shop", "shop_chat", "shop-", "my--app", "a".repeat(33), "../shop", "shop\nchat"],
    ...["cometchat-functions", "zod"],
  ])("refuses the name %j", (name) => {
    const folder = temporaryFolder();

    expect(() => initApp(folder, name)).toThrow(expect.objectContaining({ name: "CliError", exitCode: 2 }));
    expect(readdirSync(folder)).toEqual([]);
  });
});
