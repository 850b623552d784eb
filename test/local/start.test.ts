import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseBlock, portBlock } from "../../local/stack/port-block.ts";
import { interrupt, isLinux, startProcess } from "../helpers/start-process.ts";

const execFileAsync = promisify(execFile);

/** Starts `npm start`'s script and gives what it prints, line by line. */
const start = (...args: string[]) => startProcess(args);

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
    await expect.poll(leftovers).toEqual([]);
  });

  it("calls no step failed that it broke off itself", async () => {
    const { child, until } = start("--port", "0");
    const errors = text(child.stderr);
    await until("the reply appears"); // the next step, a cold start, takes longer than a signal

    const code = await interrupt(child);

    expect({ code, errors: await errors }).toEqual({ code: 0, errors: "" });
  });

  it.each(["SIGHUP", "a closed pipe"] as const)("ends with everything it started at %s", async (cause) => {
    const folder = temporaryFolder();
    const { child, until, leftovers } = start("--port", "0", "--data", folder);
    const output = await until("Ctrl-C ends everything");
    const ended = once(child, "exit");

    if (cause === "SIGHUP") child.kill(cause);
    else {
      child.stdout.destroy();
      const [command = ""] = output.match(/ {2}curl .*\\\n(.*\\\n)*.*/) ?? [];
      // The functions log what they do. What is still printed of the start may have ended it before.
      await execFileAsync("/bin/sh", ["-c", command]).catch(() => {});
    }

    expect(await ended).toEqual([0, null]);
    await expect.poll(leftovers).toEqual([]);
    expect(existsSync(join(folder, "world.pid"))).toBe(false);
  });

  it.each([
    ["no function", ["--inspect", "nosuch"], /^There is no function nosuch to debug\. [^\n]*\n$/],
    ["a port twice", ["--inspect", "seed=9300", "--inspect", "webhook=9300"], /names the port 9300 twice/],
  ])("says in a line that --inspect names %s", async (_what, args, said) => {
    const { child } = start("--port", "0", ...args);

    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);

    expect(code).toBeGreaterThan(0);
    expect(errors).toMatch(said);
    expect(errors).not.toMatch(/^\s+at /m);
  });

  it("moves to the next block when one of its ports is taken, and says so", async () => {
    const block = await freeBlock();
    const taken = createServer().listen(block + 2, "127.0.0.1");
    await once(taken, "listening");
    onTestFinished(() => void taken.close());
    const { child, until } = start("--port", String(block));

    const output = await until("Ctrl-C ends everything");

    expect(output).toContain(
      `Of the ports ${block} to ${block + 3} one is taken; ${block + 10} to ${block + 13}`,
    );
    expect(output).toContain(`Chat API        http://127.0.0.1:${block + 11}/`);
    expect(output).toContain(`Own functions   http://127.0.0.1:${block + 12}\n`);
    expect(output).toContain(`Lambda          http://127.0.0.1:${block + 13}\n`);
    expect(await interrupt(child)).toBe(0);
  });

  it("keeps its state, its addresses and its password in a folder, and greets nobody anew", async () => {
    const folder = temporaryFolder();
    // Not any free ports: those may be somebody else's when this one has ended and the next begins.
    const first = start("--port", String(await freeBlock()), "--data", folder);
    const before = await first.until("Ctrl-C ends everything");
    expect(await interrupt(first.child)).toBe(0);

    const second = start("--data", folder);
    const after = await second.until("Ctrl-C ends everything");

    expect(after).toContain(`Found in ${folder}: 2 messages.`);
    expect(after).not.toContain("alice writes to support: “Hello");
    expect(linesWith(after, "http://127")).toEqual(linesWith(before, "http://127"));
    expect(passwordIn(after)).toBe(passwordIn(before));
    expect(await interrupt(second.child)).toBe(0);
  });

  it("lets one world at a time into a folder, and goes on after one that was killed", async () => {
    const folder = temporaryFolder();
    const first = start("--port", "0", "--data", folder);
    await first.until("Starting the platform");

    const second = start("--port", "0", "--data", folder);
    const [errors, [code]] = await Promise.all([text(second.child.stderr), once(second.child, "exit")]);
    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    const third = start("--port", "0", "--data", folder);

    expect(code).toBe(1);
    expect(errors).toMatch(new RegExp(`^The folder .* is in use by process ${first.child.pid}\\. [^\n]*\n$`));
    await third.until(
      `Process ${first.child.pid} was killed while it worked in ${folder}; this one goes on.`,
    );
    await third.until("Ctrl-C ends everything");
    expect(await interrupt(third.child)).toBe(0);
  });

  it.each([
    ["{", "is broken. If you remove it"],
    ['{"version":2}', "is of version 2, and this program reads 1. If you remove it"],
    [
      '{"version":1,"ports":{}}',
      "is broken (ports.console, ports.platform, ports.http, ports.lambda, webhookPassword)",
    ],
  ])("refuses a world.json that says %s", async (world, reason) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "world.json"), world);

    const { child } = start("--data", folder);
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);

    expect(code).toBe(1);
    expect(errors).toContain(reason);
    expect(errors.trim().split("\n")).toHaveLength(1);
  });

  it("prints commands that do what they say", async () => {
    const { child, until } = start("--port", "0");
    const output = await until("Ctrl-C ends everything");
    const commands = output.match(/ {2}curl .*\\\n(.*\\\n)*.*/g) ?? [];

    const answers = await Promise.all(commands.map((command) => execFileAsync("/bin/sh", ["-c", command])));

    expect(answers.map(({ stdout }) => stdout)).toEqual([
      expect.stringContaining('"text":"What is the price?"'),
      expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n/),
    ]);
    const [, id] = /"message":\{"id":"(\d+)"/.exec(commands[1] ?? "") ?? [];
    const log = await until(
      `"message":"answered a message","function":"process-events"`,
      `"messageId":"${id}"`,
    );
    expect(log).not.toContain("quarantine");
    expect(await interrupt(child)).toBe(0);
  });

  it.each([
    ["--no-such-option", "Unknown option '--no-such-option'."],
    ["--port 70000", '--port is a number from 0 to 65535, not "70000".'],
    ["--data package.json", "--data is a folder, and package.json is a file."],
    ["--secret loginSecret", "--secret wants a field of the app's secret"],
  ])("refuses %s in one line", async (args, reason) => {
    const { child } = start(...args.split(" "));

    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);

    expect(code).toBe(2);
    expect(errors).toContain(reason);
    expect(errors).toMatch(/^.* See --help\.\n$/);
  });

  it("says what it takes", async () => {
    const { child } = start("--help");

    const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);

    expect(code).toBe(0);
    expect(output).toMatch(/^Usage: npm start -- \[--port <number>\]/);
  });
});

/** Finds a first port with twenty free ones behind it. */
async function freeBlock(): Promise<number> {
  for (let first = 20_000; ; first += 40) {
    const block = await chooseBlock(portBlock(first));
    const next = await chooseBlock(portBlock(block.console + 10));
    if (next.console === block.console + 10) return block.console;
  }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "start-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function linesWith(output: string, part: string): string[] {
  return output.split("\n").filter((line) => line.includes(part));
}

function passwordIn(output: string): string | undefined {
  return /-u platform:(\w{20,})/.exec(output)?.[1];
}
