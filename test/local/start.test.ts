import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chooseBlock, portBlock } from "../../local/stack/port-block.ts";
import { sendRaw } from "../cloud/send-raw.ts";
import { isNight } from "../helpers/by-day.ts";
import { listeningSockets } from "../helpers/listening-sockets.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";

const execFileAsync = promisify(execFile);
const isLinux = process.platform === "linux";
const isReady = "Ctrl-C ends everything";
const changedPassword = "aPasswordOfTheConsole";

const folder = mkdtempSync(join(tmpdir(), "start-test-"));
const [data, temporary] = [join(folder, "data"), join(folder, "tmp")];
mkdirSync(temporary);
const children: ChildProcess[] = [];
const root = copyProject({
  "functions/own/functions.yml":
    "agent: { handler: functions/own/agent.handler, rights: [], url: { invokeMode: RESPONSE_STREAM } }\n",
  "functions/own/agent.ts": "export const handler = async () => ({});\n",
});
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  removeCopy(root);
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the script of `npm start` under the weakest umask and reads its output line by line. */
function start(...args: string[]) {
  return startUnder('exec "$@"', args);
}

/** @param shell runs its arguments */
function startUnder(shell: string, args: readonly string[]) {
  const marker = `start-test-${process.pid}-${Math.random()}`;
  const command = [process.execPath, "--import", "./build/compile-cache.mjs", "local/start.ts", ...args];
  const child = spawn("/bin/sh", ["-c", `umask 000; ${shell}`, "sh", ...command], {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary, START_TEST_MARKER: marker },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  let isOver = false;
  const over = once(reader, "close").then(() => (isOver = true));
  reader.on("line", (line) => lines.push(line));
  return {
    child,
    /** Waits for a line with all of these parts, and returns all lines so far. */
    async until(...parts: string[]) {
      while (!lines.some((line) => parts.every((part) => line.includes(part)))) {
        if (isOver) throw new Error(`It ended without "${parts.join(" … ")}":\n${lines.join("\n")}`);
        await Promise.race([once(reader, "line"), over]);
      }
      return lines.join("\n");
    },
    /** Waits for its end. */
    async outcome() {
      const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
      return { errors, code };
    },
    /** Its remaining processes, including itself; none where the system does not list them. */
    leftovers: () => (isLinux ? processesWith(marker) : []),
  };
}

describe("npm start", () => {
  let block: number;
  let killed: ReturnType<typeof start>;
  let first: ReturnType<typeof start>;
  let output: string;
  let commands: readonly string[];

  beforeAll(async () => {
    block = await freeBlock();
    const taken = createServer().listen(block + 2, "127.0.0.1");
    await once(taken, "listening");
    killed = start("--port", "0", "--data", data);
    await killed.until("Starting the platform");
    const { errors, code } = await start("--data", data).outcome();
    expect(code).toBe(1);
    expect(errors).toMatch(
      new RegExp(`^The folder .* is in use by process ${killed.child.pid}\\. [^\n]*\n$`),
    );
    killed.child.kill("SIGKILL");
    await once(killed.child, "exit");

    first = start("--port", String(block), "--data", data);
    output = await first.until(isReady);
    taken.close();
    commands = output.match(/ {2}curl .*\\\n(.*\\\n)*.*/g) ?? [];
  });

  it("shows the first message's journey", () => {
    expect(output).toMatch(/alice writes to support.*message \d+/);
    expect(output).toMatch(/the platform delivers message_sent +200 in \d+ ms/);
    expect(output).toMatch(/processEvents handles it +in \d+ ms/);
    expect(output).toMatch(/the reply appears +message \d+, sent on behalf of support/);
    expect(output).toMatch(/seed .* 3 created, 0 updated, 2 unchanged/);
    expect(first.child.exitCode).toBeNull();
  });

  it("continues in the folder of a killed process, on the next block of ports if one is in use", () => {
    expect(output).toContain(
      `Process ${killed.child.pid} was killed while it worked in ${data}; this one continues.`,
    );
    expect(output).toContain(
      `Of the ports ${block} to ${block + 3} one is taken; ${block + 10} to ${block + 13}`,
    );
    expect(output).toContain(`Chat API        http://127.0.0.1:${block + 11}/`);
    expect(output).toContain(`Own functions   http://127.0.0.1:${block + 12}\n`);
    expect(output).toContain(`Lambda          http://127.0.0.1:${block + 13}\n`);
  });

  it("prints commands that work", async () => {
    const [write = "", post = ""] = commands;
    const run = async (command: string) => (await execFileAsync("/bin/sh", ["-c", command])).stdout;

    expect(commands).toHaveLength(2);
    expect(await run(write)).toContain('"text":"What is the price?"');
    await vi.waitFor(async () => expect(await run(post)).toMatch(/^HTTP\/1\.1 200 OK\r\n/), {
      interval: 1_000,
    });
    const [, id] = /"message":\{"id":"(\d+)"/.exec(post) ?? [];
    const log = await first.until(
      `"message":"answered a message","function":"process-events"`,
      `"messageId":"${id}"`,
    );
    expect(log).not.toContain("quarantine");
  });

  it.runIf(isLinux)("listens only on this machine, and refuses a foreign host name", async () => {
    const [platform, gateway] = [block + 11, block + 12];
    const evil = "Origin: https://evil.example";

    // A function answers at its URL as it likes.
    const [, functionUrl] = /Function URL +http:\/\/127\.0\.0\.1:(\d+)\/ \(agent\)/.exec(output) ?? [];
    const sockets = listeningSockets(first.child.pid ?? 0);
    const others = sockets.filter(({ port }) => port !== Number(functionUrl));
    const asked = await Promise.all(
      others.map(async ({ port }) => ({
        port,
        rebound: await ask(port, "GET /", ["Host: evil.example"]),
        rebound6: await ask(port, "POST /", [`Host: 127.0.0.1.evil.example:${port}`]),
        page: await ask(port, "PUT /_platform/faults", [`Host: 127.0.0.1:${port}`, evil]),
        nowhere: await ask(port, "PUT /_platform/faults", [`Host: 127.0.0.1:${port}`, "Origin: null"]),
        image: await ask(port, "GET /_platform/faults", [
          ...[`Host: 127.0.0.1:${port}`, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"],
        ]),
      })),
    );

    // The console, the platform, the gateway, a stand-in for each AWS service, each function's runtime API.
    expect(others.length).toBe(sockets.length - 1);
    expect(sockets.length).toBeGreaterThan(12);
    expect(new Set(sockets.map(({ address }) => address))).toEqual(new Set(["0100007F"]));
    for (const { port, rebound, rebound6, ...fromPages } of asked) {
      expect([port, rebound, rebound6]).toEqual([port, 403, 403]);
      // The gateway is open to pages, as the real one: it finds no such path.
      const told = port === gateway ? 404 : 403;
      expect([port, fromPages]).toEqual([port, { page: told, nowhere: told, image: told }]);
    }
    // As the real one, the platform's API accepts a page's call: it requires a key.
    const [, key = ""] = /apikey: (\w+)/.exec(output) ?? [];
    const page = [`Host: 127.0.0.1:${platform}`, evil];
    expect(await ask(platform, "GET /local-app.api-us/v3/users", [...page, `apikey: ${key}`])).toBe(200);
    expect(await ask(platform, "GET /local-app.api-us/v3/users", page)).toBe(401);
    // Its own pages may use its controls.
    const own = [`Host: 127.0.0.1:${platform}`, `Origin: http://127.0.0.1:${platform}`];
    expect(await ask(platform, "GET /_platform/faults", own)).toBe(200);
  });

  it("accepts another password for the webhook's secret", async () => {
    const secrets = `http://127.0.0.1:${block + 10}/api/stack/secrets`;
    const all: { name: string }[] = await (await fetch(secrets)).json();
    const secret = all.find(({ name }) => name.endsWith("/local-app/webhook"))?.name;
    const body = JSON.stringify({ secret, field: "webhookPassword", value: changedPassword });

    const headers = { "content-type": "application/json" };
    expect((await fetch(secrets, { method: "PUT", headers, body })).status).toBe(200);
  });

  it("writes files for its owner only, and ends with everything it started", async () => {
    expect(readdirSync(data)).toEqual(expect.arrayContaining(["platform.sqlite-wal", "world.json"]));
    expect(openToOthers(data)).toEqual([]);
    // Files below a closed folder are closed.
    const made = readdirSync(temporary).map((name) => join(temporary, name));
    expect(made.filter((file) => statSync(file).mode & 0o077)).toEqual([]);
    expect(first.leftovers().length > 1).toBe(isLinux);

    first.child.kill("SIGINT");
    const { code } = await first.outcome();

    expect(code).toBe(0);
    await expect.poll(first.leftovers).toEqual([]);
    expect(openToOthers(data)).toEqual([]);
    expect(existsSync(join(data, "world.pid"))).toBe(false);
  });

  it("keeps its state, addresses and changed password in a folder, and ends when its pipe closes", async () => {
    const second = start("--data", data);
    const after = await second.until(isReady);

    expect(after).toMatch(/^Found in .*: \d+ messages(, .*)?\.$/m);
    expect(after).not.toContain("alice writes to support: “Hello");
    const before = output.replace(/-u platform:\w{20,} /, `-u platform:${changedPassword} `);
    expect(linesWith(after, "http://127")).toEqual(linesWith(before, "http://127"));

    const ended = second.outcome();
    second.child.stdout.destroy();
    // The functions log their work. Output of the start may have ended it before.
    await execFileAsync("/bin/sh", ["-c", commands[0] ?? ""]).catch(() => {});
    expect(await ended).toMatchObject({ code: 0 });
    await expect.poll(second.leftovers).toEqual([]);
  });

  it("reports no step as failed that it aborted itself when the terminal closed", async () => {
    const { child, until, outcome } = start("--port", "0");
    await until("the reply appears"); // the next step, a cold start, takes longer than a signal

    child.kill("SIGHUP");

    expect(await outcome()).toEqual({ code: 0, errors: "" });
  });

  it.runIf(isNight && isLinux)("ends with everything if the npm that started it is killed", async () => {
    const script = `sh -c '"$@"; true' sh "$@"`;
    const npm = startUnder(`npm_lifecycle_event=start ${script}; true`, ["--port", "0"]);
    await npm.until(isReady);

    npm.child.kill("SIGKILL");

    await expect.poll(npm.leftovers).toEqual([]);
  });
});

/** Finds a first port with twenty free ones behind it. */
async function freeBlock() {
  for (let first = 20_000; ; first += 40) {
    const block = await chooseBlock(portBlock(first));
    const next = await chooseBlock(portBlock(block.console + 10));
    if (next.console === block.console + 10) return block.console;
  }
}

/** Sends a request to a port unchanged, without a client that would correct the host. */
async function ask(port: number, line: string, headers: readonly string[]) {
  const head = [`${line} HTTP/1.1`, ...headers, "Connection: close", "Content-Length: 0", "", ""].join(
    "\r\n",
  );
  return (await sendRaw(`http://127.0.0.1:${port}`, [head])).status;
}

/** Each entry below a folder, with the permissions of others than its owner. */
function openToOthers(parent: string): string[] {
  const below = readdirSync(parent, { recursive: true, encoding: "utf8" }).map((name) => join(parent, name));
  const modeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  return [parent, ...below].filter((file) => modeOf(file) & 0o077);
}

function linesWith(printed: string, part: string): string[] {
  return printed.split("\n").filter((line) => line.includes(part));
}

function processesWith(marker: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "utf8").includes(marker);
    } catch {
      return false;
    }
  });
}
