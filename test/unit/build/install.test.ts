import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";

/**
 * Logs its command. `npm ci` waits for a connection's end if a port is given; `npm rebuild` may kill, or make
 * a Node that does not start, as on Alpine Linux.
 */
const npm = `
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { once } from "node:events";
const { NPM_PORT, NPM_KILLS, NPM_BREAKS } = process.env;
appendFileSync("log", process.argv[2] + " ");
mkdirSync("node_modules", { recursive: true });
if (process.argv[2] === "ci" && NPM_PORT) await once(connect(Number(NPM_PORT), "127.0.0.1").resume(), "close");
if (process.argv[2] === "ci") writeFileSync("node_modules/.package-lock.json", '{"packages":{}}');
if (process.argv[2] === "rebuild" && NPM_BREAKS) {
  mkdirSync("node_modules/.bin");
  writeFileSync("node_modules/.bin/node", "#!/lib/missing", { mode: 0o755 });
}
if (process.argv[2] === "rebuild" && NPM_KILLS) process.kill(process.ppid, "SIGKILL");
`;

async function createProject() {
  const folder = await mkdtemp(join(tmpdir(), "install-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "build"));
  await mkdir(join(folder, "cli"));
  for (const file of [
    "build/install.mjs",
    "build/compile-cache.mjs",
    "cli/bin.mjs",
    "cli/end-with-parent.mjs",
  ])
    await copyFile(file, join(folder, file));
  await writeFile(join(folder, "cli/main.ts"), 'process.stderr.write("It runs");');
  await writeFile(join(folder, "npm.mjs"), npm);
  await writeFile(join(folder, "package.json"), '{"allowScripts":{"node":true}}');
  await writeFile(join(folder, "package-lock.json"), '{"packages":{"":{}}}');
  const install = (env: NodeJS.ProcessEnv = {}, ...words: readonly string[]) => {
    const of = { npm_execpath: join(folder, "npm.mjs"), npm_node_execpath: process.execPath };
    return spawn(process.execPath, words.length > 0 ? words : ["build/install.mjs"], {
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

it("installs again after an installation that ended before its rebuild, but only once", async () => {
  const { install, log } = await createProject();

  const ends = [await endOf(install({ NPM_KILLS: "1" })), await endOf(install()), await endOf(install())];

  expect(ends).toEqual(["SIGKILL", 0, 0]);
  expect(await log()).toBe("ci rebuild ci rebuild ");
});

it.each([
  ["one that runs", false, "ci rebuild "],
  ["the npm that a killed one left", true, "ci ci rebuild "],
])("waits for %s, and reports it", async (_case, isKilled, expected) => {
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

it("runs commands on the machine's Node 24 if the installed one does not start, and installs once", async () => {
  const { install, log } = await createProject();

  const first = install({ NPM_BREAKS: "1" }, "cli/bin.mjs");
  const output = text(first.stderr);
  const ends = [await endOf(first), await endOf(install())];

  expect(ends).toEqual([0, 0]);
  expect(await output).toMatch(/It runs$/);
  expect(await log()).toBe("ci rebuild ");
});

it("requires a Node if neither the installed one starts nor the machine's is new enough", async () => {
  const { install } = await createProject();
  const older =
    'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "22.1.0" } })';

  const installed = install({ NPM_BREAKS: "1" }, "--import", older, "build/install.mjs");
  const output = text(installed.stderr);

  expect(await endOf(installed)).toBe(1);
  expect(await output).toContain("Install Node 24 or newer");
});
