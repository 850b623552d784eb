import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Starts `npm start`'s script and gives what it prints, line by line. */
function start(...args: string[]) {
  const marker = `start-test-${process.pid}-${Math.random()}`;
  const child = spawn(process.execPath, ["local/start.ts", ...args], {
    cwd: root,
    env: { ...process.env, START_TEST_MARKER: marker },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line));
  const until = async (text: string) => {
    while (!lines.some((line) => line.includes(text))) await once(reader, "line");
    return lines.join("\n");
  };
  return { child, until, leftovers: () => (isLinux ? processesWith(marker) : []) };
}

/** Ends it as Ctrl-C does and gives its exit code. */
async function interrupt(child: ChildProcess): Promise<number | null> {
  const ended = once(child, "exit");
  child.kill("SIGINT");
  const [code] = await ended;
  return code;
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

const isLinux = process.platform === "linux";

describe("npm start", () => {
  it("shows the first message's journey, keeps running, and ends with everything it started", async () => {
    const { child, until, leftovers } = start("--port", "0");

    const output = await until("Ctrl-C ends everything");

    expect(output).toMatch(/alice writes to support.*message \d+/);
    expect(output).toMatch(/the platform delivers message_sent +200 in \d+ ms/);
    expect(output).toMatch(/processEvents handles it +in \d+ ms/);
    expect(output).toMatch(/the reply appears +message \d+, sent on behalf of support/);
    expect(output).toMatch(/seed .* 3 created, 2 updated, 0 unchanged/);
    expect(output).toMatch(/Own functions +http:\/\/127\.0\.0\.1:\d+\n/);
    expect(child.exitCode).toBeNull();
    expect(leftovers().length > 1).toBe(isLinux);
    expect(await interrupt(child)).toBe(0);
    expect(leftovers()).toEqual([]);
  });

  it("moves to another port when the wanted one is taken, and says so", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const { child, until } = start("--port", String(port));

    expect(await until("Ctrl-C ends everything")).toContain(`Port ${port} is taken`);

    expect(await interrupt(child)).toBe(0);
  });

  it("keeps its state in a folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "start-test-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const first = start("--port", "0", "--data", folder);
    await first.until("Ctrl-C ends everything");
    await interrupt(first.child);

    const second = start("--port", "0", "--data", folder);
    const output = await second.until("Ctrl-C ends everything");

    expect(output).toMatch(/alice writes to support.*message 3/);
    expect(output).toMatch(/seed .* 0 created, 0 updated, 5 unchanged/);
    expect(await interrupt(second.child)).toBe(0);
  });

  it.each([["--no-such-option"], ["--port", "x"], ["--secret", "loginSecret"]])(
    "refuses %s %s and says what it takes",
    async (...args) => {
      const { child } = start(...args);

      const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);

      expect(code).toBe(2);
      expect(errors).toContain("Usage: npm start -- [--port <number>] [--data <folder>]");
    },
  );
});
