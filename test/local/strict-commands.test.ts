import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

/** The file of every script that runs a program of this project. */
const programs = new Set(
  Object.values(scripts).flatMap(
    (script) => /^(?:exec )?node (?:--import \S+ )?(\S+\.ts)$/.exec(script)?.slice(1) ?? [],
  ),
);

function run(file: string, option: string) {
  const args = ["--import", "./build/compile-cache.mjs", file, option];
  return new Promise<{ code: unknown; output: string; errors: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: root, timeout: 60_000 }, (error, output, errors) =>
      resolve({ code: error?.code ?? 0, output, errors }),
    );
  });
}

/** Those that read theirs in their own way; the last one has unit tests. */
const ownReaders = ["local/start.ts", "cli/main.ts", "build/config.ts"];

it.each([...programs].filter((file) => !ownReaders.includes(file)))(
  "%s reads its options with readArguments",
  (file) => {
    expect(readFileSync(join(root, file), "utf8")).toMatch(/\breadArguments\(/);
  },
);

it.each(ownReaders.slice(0, 2))("%s prints its usage, and refuses an unknown option", async (file) => {
  const help = await run(file, "--help");
  const wrong = await run(file, "--no-such-option");

  expect(help).toMatchObject({ code: 0, errors: "" });
  expect(help.output).toMatch(/^Usage: .*\n(.*\n)+.*--help/);
  expect(wrong).toMatchObject({ code: 2, output: "" });
  expect(wrong.errors.split("\n")[0]).toContain("--no-such-option");
  expect(wrong.errors).not.toMatch(/^\s+at /m);
});
