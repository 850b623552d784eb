import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runWithin } from "../../package/run-within.ts";

const node = process.execPath;

it("gives what a program prints, and hands lines on as they come", async () => {
  const lines: string[] = [];

  const output = await runWithin([node, "-e", "console.log('one\\ntwo')"], {
    ...here(),
    onLine: (line) => void lines.push(line),
  });

  expect([output, lines]).toEqual(["one\ntwo\n", ["one", "two"]]);
});

it("says of a program that fails which one, where, how, and what it said last", async () => {
  const place = here();

  const failed = runWithin([node, "-e", "console.error('no such thing'); process.exit(3)"], place);

  await expect(failed).rejects.toThrow(/node -e .* ended with code 3 in .*\n.*no such thing/);
});

it("ends a program that stands, with all that it started, and says what stood and what it said last", async () => {
  const place = here();
  // Holds the pipes of who started it, and hears no SIGTERM.
  const inner =
    'process.on("SIGTERM", () => {}); const server = require("net").createServer().listen(0, "127.0.0.1", () => console.log("fetching from " + server.address().port));';
  const outer = `require("child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(inner)}], { stdio: "inherit" });`;

  const stood = runWithin([node, "-e", outer], { ...place, seconds: 3 });

  const said = await stood.catch(String);
  const [, port] =
    /stood for 3 seconds in .*, and was ended\. Its last lines:\nfetching from (\d+)/.exec(said) ?? [];
  expect(port, said).toBeDefined();
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
});

it("names a program that is not there", async () => {
  await expect(runWithin(["no-such-program"], here())).rejects.toThrow(/no-such-program/);
});

function here() {
  const cwd = mkdtempSync(join(tmpdir(), "run-within-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return { cwd, env: process.env, seconds: 60 };
}
