import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

/** Every script that runs a program of this project. */
const commands = Object.entries(scripts).flatMap(([name, script]) => {
  const [, file, rest = ""] = /^(?:exec )?node (?:--import \S+ )?(\S+\.ts)(.*)$/.exec(script) ?? [];
  return file === undefined || rest !== "" ? [] : [[name, file] as const];
});

function run(file: string, option: string) {
  const args = ["--import", "./build/compile-cache.mjs", file, option];
  return new Promise<{ code: unknown; output: string; errors: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: root, timeout: 60_000 }, (error, output, errors) =>
      resolve({ code: error?.code ?? 0, output, errors }),
    );
  });
}

it.concurrent.each(commands)(
  "npm run %s does nothing but refuse in a line an option that it does not have",
  async (_, file) => {
    const { code, output, errors } = await run(file, "--no-such-option");

    expect(code).toBe(2);
    expect(errors.split("\n")[0]).toContain("--no-such-option");
    expect(errors).not.toMatch(/^\s+at /m);
    expect(output).toBe("");
  },
);

it.each(["local/start.ts", "cli/main.ts"])("%s says what it takes", async (file) => {
  const { code, output, errors } = await run(file, "--help");

  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  expect(output).toMatch(/^Usage: .*\n(.*\n)+.*--help/);
});

it("knows the commands", () => {
  const names = ["start", "demo", "chat", "config", "platform", "chaos", "scale", "fuzz", "bench"];
  expect(commands.map(([name]) => name)).toEqual(expect.arrayContaining(names));
});
