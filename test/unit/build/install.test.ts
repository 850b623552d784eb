import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

/** Logs its command. `npm ci` waits for a connection's end if a port is given; `npm rebuild` may kill. */
const npm = `
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { once } from "node:events";
const { NPM_PORT, NPM_KILLS } = process.env;
appendFileSync("log", process.argv[2] + " ");
mkdirSync("node_modules", { recursive: true });
if (process.argv[2] === "ci" && NPM_PORT) await once(connect(Number(NPM_PORT), "127.0.0.1").resume(), "close");
if (process.argv[2] === "ci") writeFileSync("node_modules/.package-lock.json", '{"packages":{}}');
if (process.argv[2] === "rebuild" && NPM_KILLS) process.kill(process.ppid, "SIGKILL");
`;

async function createProject() {
  const folder = await mkdtemp(join(tmpdir(), "install-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "build"));
  await copyFile("build/install.mjs", join(folder, "build", "install.mjs"));
  await writeFile(join(folder, "npm.mjs"), npm);
  await writeFile(join(folder, "package.json"), '{"allowScripts":{"node":true}}');
  await writeFile(join(folder, "package-lock.json"), '{"packages":{"":{}}}');
  const install = (env: NodeJS.ProcessEnv = {}) => {
    const of = { npm_execpath: join(folder, "npm.mjs"), npm_node_execpath: process.execPath };
    return spawn(process.execPath, ["build/install.mjs"], {
      cwd: folder,
      env: { ...process.env, ...of, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
  };
  const read = (file: string) => readFile(join(folder, file), "utf8");
  return { install, log: () => read("log"), mark: () => read(".installing") };
}

const endOf = async (child: ChildProcess) => {
  await once(child, "exit");
  return child.exitCode ?? child.signalCode;
};

it("installs again after an installation that ended before its rebuild, then no more", async () => {
  const { install, log } = await createProject();

  const ends = [await endOf(install({ NPM_KILLS: "1" })), await endOf(install()), await endOf(install())];

  expect(ends).toEqual(["SIGKILL", 0, 0]);
  expect(await log()).toBe("ci rebuild ci rebuild ");
});

it.each([
  ["one that runs", false, "ci rebuild "],
  ["the npm that a killed one left", true, "ci ci rebuild "],
])("waits for %s, and says so", async (_case, isKilled, expected) => {
  const { install, log, mark } = await createProject();
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const first = install({ NPM_PORT: typeof address === "object" ? String(address?.port) : "" });
  const [npmRuns]: Socket[] = await once(server, "connection");
  await expect.poll(mark).toMatch(/^\d+ \d+$/);
  if (isKilled) {
    first.kill("SIGKILL");
    await endOf(first);
  }

  const second = install();
  const [said] = await once(second.stderr, "data");
  const ends = Promise.all([isKilled ? 0 : endOf(first), endOf(second)]);
  npmRuns?.end();

  expect(String(said)).toContain("Waiting for another installation");
  expect(await ends).toEqual([0, 0]);
  expect(await log()).toBe(expected);
});
