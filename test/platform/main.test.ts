import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { startPlatform } from "./helpers.ts";

const main = fileURLToPath(new URL("../../local/platform/main.ts", import.meta.url));

describe("npm run platform", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("prints its addresses and ends with 0 on %s", async (signal) => {
    const { child, output } = run("--port", "0");
    await expect.poll(() => output()).toMatch(/curl[\s\S]*data/);

    child.kill(signal);
    const [code] = await once(child, "exit");

    expect(code).toBe(0);
    expect(output()).toMatch(/State, controls\s+http:\/\/127\.0\.0\.1:\d+\/_platform\//);
  });

  it("moves to a free port when the one asked for is taken, and says so", async () => {
    const other = await startPlatform();

    const { child, output } = run("--port", String(other.port));
    await expect.poll(() => output()).toContain("State, controls");
    child.kill("SIGTERM");
    await once(child, "exit");

    expect(output()).toContain(`Port ${other.port} is taken`);
  });

  it("starts with the seed of a YAML file", async () => {
    const file = await seedFile(
      "apps: [{ appId: shop, region: eu, name: Shop, users: [{ uid: ann, name: Ann }] }]",
    );

    const { child, output } = run("--port", "0", "--seed", file);
    await expect.poll(() => output()).toContain("State, controls");
    child.kill("SIGTERM");
    await once(child, "exit");

    expect(output()).toMatch(/shop, eu[\s\S]*ann/);
    expect(output()).toMatch(/shop\.api-eu\/v3\/messages/);
  });

  it.each([
    { name: "holds a mistake", seed: "apps: [{ appId: shop, region: moon }]", reason: "apps[0].region" },
    { name: "is not there", seed: undefined, reason: "ENOENT" },
  ])("refuses a seed file that $name", async ({ seed, reason }) => {
    const file = seed === undefined ? "/nowhere/seed.yml" : await seedFile(seed);

    const { child, output } = run("--port", "0", "--seed", file);
    const [code] = await once(child, "exit");

    expect(code).toBe(2);
    expect(output()).toContain(reason);
  });

  it("refuses a port that is none", async () => {
    const { child, output } = run("--port", "many");

    const [code] = await once(child, "exit");

    expect(code).toBe(2);
    expect(output()).toContain('not "many"');
  });
});

async function seedFile(text: string) {
  const folder = await mkdtemp(join(tmpdir(), "seed-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "seed.yml");
  await writeFile(file, text);
  return file;
}

function run(...flags: string[]): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [main, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  child.stderr.on("data", (chunk) => {
    text += chunk;
  });
  return { child, output: () => text };
}
