import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeBlocksOf, removeCopy } from "../helpers/project-copy.ts";
import { runVitest } from "../helpers/run-vitest.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** Every block of code that names its file in its first line. */
const blocks = codeBlocksOf("docs/testing.md");
const ofVitest = blocks.filter(({ text }) => text.includes('from "vitest"'));
const ofNode = blocks.filter(({ text }) => text.includes('from "node:test"'));

describe("docs/testing.md, written into a project that has the package", () => {
  let project: string;

  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), "testing-page-"));
    writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", private: true }));
    mkdirSync(join(project, "node_modules"));
    symlinkSync(root, join(project, "node_modules/cometchat-functions"));
    for (const name of ["vitest", "@types"]) {
      symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
    }
    for (const { file, text } of blocks) {
      mkdirSync(dirname(join(project, file)), { recursive: true });
      writeFileSync(join(project, file), text);
    }
  });
  afterAll(() => removeCopy(project));

  it("has its first block in twenty lines that do something", () => {
    const [first] = blocks;

    const lines = first?.text.split("\n").filter((line) => line !== "" && !line.startsWith("//")) ?? [];
    expect(first?.file).toBe("test/send.test.ts");
    expect(lines.length).toBeLessThanOrEqual(20);
  });

  it("compiles", async () => {
    const config = {
      extends: join(root, "tsconfig.json"),
      include: ["test", join(root, "config/modules.d.ts")],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));

    const outcome = await run(join(root, "node_modules/.bin/tsc"), ["-p", project]).catch(
      (error: { stdout: string }) => error,
    );

    expect(outcome.stdout).toBe("");
    // It reads the sources behind every door.
  });

  it("passes those of node:test", async () => {
    const files = ofNode.map(({ file }) => file);

    const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap", ...files], {
      cwd: project,
      env: { ...process.env, VITEST: undefined, NODE_TEST_CONTEXT: undefined },
    }).catch((error: { stdout: string }) => error);

    expect(files).toHaveLength(5);
    expect(stdout).toMatch(/^# pass 6$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  });

  it("passes those of vitest", async () => {
    const files = ofVitest.map(({ file }) => file);

    const outcome = await runVitest(project, files);

    expect(files).toHaveLength(2);
    expect(outcome).toMatchObject({ passed: 3, failed: [] });
  }, 600_000);
});
