import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");

describe("the program", () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"));
  afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

  it("is the package's, runs from any folder, and tells of its commands", () => {
    const { status, stdout } = spawnSync(process.execPath, [join(root, packageJson.bin), "--help"], {
      cwd: elsewhere,
      encoding: "utf8",
    });

    expect(status).toBe(0);
    expect(stdout).toContain("dead-letters");
  });

  it("ends with the command's exit code, and leaves standard output to the answer", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, packageJson.bin), "status"], {
      cwd: elsewhere,
      encoding: "utf8",
    });

    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("Add --local for the local stack of npm start, or --stage <name>");
  });

  it("ends although something given up, as a call without an answer, is still open", () => {
    const stillOpen = "data:text/javascript,setInterval(() => {}, 1_000)";
    const { status, stdout } = spawnSync(
      process.execPath,
      ["--import", stillOpen, join(root, "cli/main.ts"), "--help"],
      { encoding: "utf8", timeout: 20_000 },
    );

    expect([status, stdout]).toEqual([0, expect.stringContaining("dead-letters")]);
  });

  it("ends without a word when nobody reads on", async () => {
    const child = spawn(process.execPath, [join(root, packageJson.bin), "--help"], { cwd: elsewhere });
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);

    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  });

  it.runIf(existsSync("/dev/full"))("says that its output does not fit on the disk", () => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [join(root, packageJson.bin), "--help"], {
      cwd: elsewhere,
      encoding: "utf8",
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);

    expect([status, stderr]).toEqual([7, expect.stringMatching(/^The output cannot be written: ENOSPC/)]);
  });

  it("leaves nothing running when it is killed", { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, [join(root, packageJson.bin), "platform", "--port", "0"], {
      cwd: elsewhere,
    });
    await once(child.stdout, "data");

    child.kill("SIGKILL");

    // The project's own Node has the same standard output.
    expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
  });
});
