import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { startPlatform } from "./helpers.ts";

const main = fileURLToPath(new URL("../../local/platform/main.ts", import.meta.url));

describe("npm run platform", () => {
  it("prints its addresses and ends with 0 on SIGINT", async () => {
    const { child, output } = run("--port", "0");
    await expect.poll(() => output()).toMatch(/curl[\s\S]*data/);

    child.kill("SIGINT");
    const [code] = await once(child, "exit");

    expect(code).toBe(0);
    expect(output()).toMatch(/State, controls\s+http:\/\/127\.0\.0\.1:\d+\/_platform\//);
  });

  it("starts with a YAML file's seed, at a free port if its own is taken, and ends with 0 on SIGTERM", async () => {
    const other = await startPlatform();
    const file = seedFile(
      "apps: [{ appId: shop, region: eu, name: Shop, users: [{ uid: ann, name: Ann }] }]",
    );

    const { child, output } = run("--port", String(other.port), "--seed", file);
    await expect.poll(() => output()).toContain("State, controls");
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");

    expect(code).toBe(0);
    expect(output()).toContain(`Port ${other.port} is taken`);
    expect(output()).toMatch(/shop, eu[\s\S]*ann[\s\S]*shop\.api-eu\/v3\/messages/);
  });

  it("refuses a seed file with a mistake", async () => {
    const { child, output } = run("--port", "0", "--seed", seedFile("apps: [{ appId: shop, region: moon }]"));
    const [code] = await once(child, "exit");

    expect(code).toBe(2);
    expect(output()).toContain("apps[0].region");
  });
});

function seedFile(text: string) {
  return `${temporaryFolder({ "seed.yml": text })}/seed.yml`;
}

function run(...flags: string[]): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [main, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      text += chunk;
    });
  }
  return { child, output: () => text };
}
