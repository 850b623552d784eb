import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

describe("bin.mjs of the package", () => {
  it.each(["18.20.8", "20.18.3"])("names the Node version that init needs on %s", (version) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "cli"));
    copyFileSync("cli/bin.mjs", join(folder, "cli/bin.mjs"));
    writeFileSync(join(folder, "cli/main.js"), "");
    const older = `data:text/javascript,Object.defineProperties(process, { version: { value: "v${version}" }, versions: { value: { node: "${version}" } } })`;

    const ran = spawnSync(process.execPath, ["--import", older, join(folder, "cli/bin.mjs"), "init"]);

    expect(String(ran.stderr)).toBe(
      `Node 20.19 or newer is needed, this is v${version}. Install it from https://nodejs.org.\n`,
    );
    expect(ran.status).toBe(2);
  });
});
