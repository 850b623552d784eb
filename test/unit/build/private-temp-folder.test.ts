import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, it, onTestFinished } from "vitest";

const plugin = join(import.meta.dirname, "../../../build/private-temp-folder.ts");

it.each([
  ["ends", "process.exit(0)", undefined],
  ["fails", "throw new Error('expected')", undefined],
  ["is interrupted", "setInterval(() => {}, 1_000)", "SIGINT"],
  ["is terminated", "setInterval(() => {}, 1_000)", "SIGTERM"],
] as const)("leaves no temporary folder if the build %s", async (_, end, signal) => {
  const temp = mkdtempSync(join(tmpdir(), "temp-"));
  onTestFinished(() => rmSync(temp, { recursive: true, force: true }));
  const script = `
    const { default: PrivateTempFolder } = await import(${JSON.stringify(plugin)});
    const { tmpdir } = await import("node:os");
    new PrivateTempFolder();
    (await import("node:fs")).mkdirSync(tmpdir() + "/left/behind", { recursive: true });
    process.stdout.write("made");
    process.stdin.once("data", () => { ${end} });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    env: { ...process.env, TMPDIR: temp },
    stdio: ["pipe", "pipe", "ignore"],
  });
  await once(child.stdout, "data");

  const [made = ""] = readdirSync(temp);
  expect(statSync(join(temp, made)).mode & 0o777).toBe(0o700);
  if (signal === undefined) child.stdin.end("end");
  else child.kill(signal);
  const [, endedBy] = await once(child, "close");

  expect(endedBy).toBe(signal ?? null);
  expect(readdirSync(temp)).toEqual([]);
});
