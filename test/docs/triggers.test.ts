import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeBlocksOf, copyProject, removeCopy } from "../helpers/project-copy.ts";
import { runVitest } from "../helpers/run-vitest.ts";

const root = join(import.meta.dirname, "../..");
const bin = (name: string) => join(root, "node_modules/.bin", name);
const run = promisify(execFile);

/** Every block of code that names its file in its first line. */
const blocks = codeBlocksOf("docs/triggers.md");

describe("docs/triggers.md, written into a copy of the project", () => {
  let copy: string;

  beforeAll(() => {
    copy = copyProject(Object.fromEntries(blocks.map(({ file, text }) => [file, text])));
    const tsconfig = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
    const files = blocks.map(({ file }) => file);
    writeFileSync(
      join(copy, "tsconfig.json"),
      JSON.stringify({
        ...tsconfig,
        include: undefined,
        files: [
          "config/modules.d.ts",
          "functions/before-message.ts",
          "functions/moderation.ts",
          "functions/process-events.ts",
          ...files,
        ],
      }),
    );
  });
  afterAll(() => removeCopy(copy));

  it("names a file in each block", () => {
    expect(blocks.length).toBeGreaterThan(4);
    for (const { file } of blocks) expect(file).toMatch(/^(functions|test)\/.+\.ts$/);
  });

  it("compiles", async () => {
    const outcome = await run(bin("tsc"), ["-p", copy]).catch((error: { stdout: string }) => error);

    expect(outcome.stdout).toBe("");
  });

  it("passes its own tests", async () => {
    const tests = blocks.filter(({ file }) => file.endsWith(".test.ts"));

    const outcome = await runVitest(copy);

    expect(outcome).toMatchObject({ passed: tests.length, failed: [] });
  }, 600_000);
});
