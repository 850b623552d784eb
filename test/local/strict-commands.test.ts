import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";

const root = join(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** Every script that runs a program of this project. */
const commands = Object.entries(scripts).flatMap(([name, script]) => {
  const [, file, rest = ""] = /^(?:exec )?node (?:--import \S+ )?(\S+\.ts)(.*)$/.exec(script) ?? [];
  return file === undefined || rest !== "" ? [] : [[name, file] as const];
});

async function run(file: string, ...args: string[]) {
  const child = spawn(process.execPath, [file, ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { output, errors, code };
}

describe.each(commands)("npm run %s", (_, file) => {
  it("says what it takes, and does nothing else", async () => {
    const { output, errors, code } = await run(file, "--help");

    expect(code).toBe(0);
    expect(output).toMatch(/--help|npm run demo/);
    expect(errors).toBe("");
  });

  it("refuses an option that it does not have in a line, without a stack", async () => {
    const { output, errors, code } = await run(file, "--no-such-option");

    expect(code).toBe(2);
    expect(errors.split("\n")[0]).toContain("--no-such-option");
    expect(errors).not.toMatch(/^\s+at /m);
    expect(output).toBe("");
  });
});

it("knows the commands", () => {
  expect(commands.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      "start",
      "demo",
      "chat",
      "config",
      "platform",
      "chaos",
      "scale",
      "fuzz",
      "bench",
    ]),
  );
});
