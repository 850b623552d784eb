import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runConfigCommand } from "../../scripts/config-command.ts";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/configuration.md"), "utf8");
const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, kind = "", text = ""]) => ({
  kind,
  text,
}));
/** Every block that names its file in its first line. */
const files = blocks.flatMap(({ kind, text }) => {
  const file = /^(?:\/\/|#) (\S+)\n/.exec(text)?.[1];
  return ["ts", "yaml"].includes(kind) && file !== undefined ? [{ file, text }] : [];
});

describe("docs/configuration.md", () => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "configuration-docs-"));
    const settings = ["config", "functions", "lib", "scripts", "local/platform", "package.json"];
    for (const name of [...settings, "serverless.yml"]) {
      cpSync(join(root, name), join(copy, name), { recursive: true });
    }
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    const tsconfig = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
    const sources = files.map(({ file }) => file).filter((file) => file.endsWith(".ts"));
    const compiled = { ...tsconfig, include: undefined, files: ["config/modules.d.ts", ...sources] };
    writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(compiled));
    for (const { file, text } of files) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      writeFileSync(join(copy, file), text);
    }
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it("names a file in each block of code", () => {
    expect(files.map(({ file }) => file)).toHaveLength(
      blocks.filter(({ kind }) => ["ts", "yaml"].includes(kind)).length,
    );
    expect(files.length).toBeGreaterThan(4);
  });

  it("shows code that compiles", async () => {
    const tsc = join(root, "node_modules/.bin/tsc");

    const outcome = await promisify(execFile)(tsc, ["-p", copy]).catch((error: { stdout: string }) => error);

    expect(outcome.stdout).toBe("");
  });

  it("shows files that fit", async () => {
    const config = join(copy, "scripts/config.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [config]);

    expect(stdout).toMatch(/^All of config\/ fits/);
  });

  it("shows commands that run, each with what it prints", async () => {
    const commands = blocks.flatMap(({ kind, text }, index) =>
      kind === "sh" ? [{ command: text.trim(), shown: blocks[index + 1] }] : [],
    );

    expect(commands.length).toBeGreaterThan(2);
    for (const { command, shown } of commands) {
      const [, rest = ""] = /^npm run config(?: -- (.*))?$/.exec(command) ?? [];
      const printed: string[] = [];
      const code = await runConfigCommand(
        rest.match(/"[^"]*"|\S+/g)?.map((arg) => arg.replaceAll('"', "")) ?? [],
        {
          projectFolder: rest === "--write-schemas" ? copy : root,
          now: () => new Date(0),
          print: (text) => void printed.push(text),
          printError: (text) => void printed.push(text),
        },
      );
      expect(command).toMatch(/^npm run config/);
      expect({ command, code }).toEqual({ command, code: 0 });
      expect(printed.join("")).toBe(rest.startsWith("why") ? shown?.text : printed.join(""));
    }
  });
});
