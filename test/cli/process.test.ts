import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { startLocalServer } from "../../local/cloud/local-server.ts";
import packageJson from "../../package.json" with { type: "json" };
import { firstByDay, isNight } from "../helpers/by-day.ts";

const root = join(import.meta.dirname, "../..");
/** Util-linux's `script`, which gives a program a terminal. */
const hasTerminals = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

/** The environment of an AWS that refuses each call, after `first` is done. */
async function refuseAll(first: () => Promise<void>) {
  const aws = await startLocalServer(async (_request, response) => {
    await first();
    response.writeHead(403).end();
  });
  onTestFinished(() => aws.close());
  return { ...process.env, AWS_ENDPOINT_URL: aws.url, AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b" };
}

describe("the program", () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"));
  afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

  it("runs from any folder, ends with the command's exit code, and prints only the answer to standard output", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, packageJson.bin), "status"], {
      cwd: elsewhere,
      encoding: "utf8",
    });

    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("Add --local for the local stack of npm start, or --stage <name>");
  });

  it("ends although an abandoned operation, such as a call without an answer, is still open", () => {
    const stillOpen = "data:text/javascript,setInterval(() => {}, 1_000)";
    const { status, stdout } = spawnSync(
      process.execPath,
      ["--import", stillOpen, join(root, "cli/main.ts"), "--help"],
      { encoding: "utf8", timeout: 120_000 },
    );

    expect([status, stdout]).toEqual([0, expect.stringContaining("dead-letters")]);
  });

  it("ends silently if its reader closes the pipe", async () => {
    const child = spawn(process.execPath, [join(root, packageJson.bin), "--help"], { cwd: elsewhere });
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);

    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  });

  it.each<[string, ...NodeJS.Signals[]]>(
    firstByDay([
      ["it is terminated", "SIGTERM"],
      ["its terminal closes, and its parent ends", "SIGHUP", "SIGTERM"],
      ["npm forwards the same Ctrl-C", "SIGINT", "SIGINT"],
    ]),
  )("ends cleanly when %s", async (_, first, ...others) => {
    const ending = Promise.withResolvers<void>();
    const env = await refuseAll(async () => {
      child.kill(first);
      await ending.promise;
      for (const signal of others) child.kill(signal);
    });
    const child = spawn(process.execPath, [join(root, "cli/main.ts"), "status", "--stage", "prod"], { env });
    child.stderr.once("data", () => ending.resolve());
    child.once("exit", () => ending.resolve());
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);

    expect({ stderr, code }).toEqual({ stderr: expect.stringContaining("Interrupted."), code: 130 });
  });

  it.runIf(isNight && hasTerminals)("ends cleanly if its terminal can no longer be written to", async () => {
    const env = await refuseAll(async () => {
      terminal.kill("SIGKILL");
      await once(terminal, "exit");
    });
    const ended = join(elsewhere, "ended");
    const command = `'${process.execPath}' '${join(root, "cli/main.ts")}' status --stage prod`;
    const line = `trap '' HUP; ${command}; echo $? >'${ended}'`;
    const terminal = spawn("script", ["-qec", line, "/dev/null"], { env, stdio: "ignore" });

    await vi.waitFor(() => expect(readFileSync(ended, "utf8")).toBe("4\n"), { timeout: 20_000 });
  });

  it.runIf(existsSync("/dev/full"))("reports that its output does not fit on the disk", () => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [join(root, packageJson.bin), "--help"], {
      cwd: elsewhere,
      encoding: "utf8",
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);

    expect([status, stderr]).toEqual([7, expect.stringMatching(/^The output cannot be written: ENOSPC/)]);
  });

  it("leaves no process running when it is killed", { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, [join(root, packageJson.bin), "platform", "--port", "0"], {
      cwd: elsewhere,
    });
    await once(child.stdout, "data");

    child.kill("SIGKILL");

    // The project's own Node has the same standard output.
    expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
  });
});
