import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runConfigCommand } from "../../scripts/config-command.ts";
import { copyProject, removeCopy } from "../helpers/project-copy.ts";
import { joinRecipes, readRecipes } from "./read-recipes.ts";

const root = join(import.meta.dirname, "../..");
const bin = (name: string) => join(root, "node_modules/.bin", name);
const run = promisify(execFile);
const recipes = readRecipes();
const files = joinRecipes(recipes);
const sources = Object.keys(files).filter((file) => file.endsWith(".ts"));

describe("docs/recipes, written into a copy of the project", () => {
  let folder: string;

  beforeAll(() => {
    folder = copyProject(files);
    cpSync(join(root, "test/chaos/world"), join(folder, "test/chaos/world"), { recursive: true });
  });
  afterAll(() => removeCopy(folder));

  it.each(recipes)("has a test, and is named in the list of recipes: $name", ({ name, files: own }) => {
    expect(Object.keys(own).filter((file) => file.endsWith(".test.ts"))).toHaveLength(1);
    expect(readFileSync(join(root, "docs/recipes/README.md"), "utf8")).toContain(`(${name}.md)`);
  });

  it("writes the refund ticket, with its flow, in less than 40 lines", () => {
    const lines = files["functions/own/refund.ts"]?.split("\n").filter((line) => /^[^/]/.test(line.trim()));

    expect(lines?.length).toBeLessThan(40);
  });

  it("compiles", async () => {
    const tsconfig = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
    const compiled = ["config/modules.d.ts", "functions/process-events.ts", "functions/flows.ts", ...sources];
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ ...tsconfig, include: undefined, files: compiled }),
    );

    const outcome = await run(bin("tsc"), ["-p", folder]).catch((error: { stdout: string }) => error);

    expect(outcome.stdout).toBe("");
  });

  it("is written in the project's style", async () => {
    for (const { name, files: own } of recipes) {
      for (const [file, text] of Object.entries(own)) {
        const path = join(folder, "style", name, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
    }
    const { vcs: _, files: __, extends: ___, ...settings } = readBiome();
    writeFileSync(join(folder, "style/biome.json"), JSON.stringify(settings));

    const style = ["ci", "--error-on-warnings", "--max-diagnostics=50", "."];
    const outcome = await run(bin("biome"), style, { cwd: join(folder, "style") }).catch(
      (error: { stderr: string }) => error,
    );

    expect(outcome.stderr).not.toMatch(/×|Found \d+ error/);
  });

  it("has files of config/ that fit", async () => {
    const told: string[] = [];
    const code = await runConfigCommand([], {
      projectFolder: folder,
      environment: {},
      now: () => new Date(0),
      print: (text) => void told.push(text),
      printError: (text) => void told.push(text),
    });

    expect([code, told.join("")]).toEqual([0, expect.stringMatching(/^All of config\/ fits/)]);
  });

  it("passes its own tests", async () => {
    const tests = recipes
      .flatMap(({ files: own }) => Object.keys(own))
      .filter((file) => file.endsWith(".test.ts"));
    const report = join(folder, "report.json");

    const outcome = await run(
      bin("vitest"),
      ["run", "--root", folder, ...tests, "--reporter", "json", "--outputFile", report],
      { cwd: folder, env: { ...process.env, VITEST: undefined } },
    ).catch((error: { stdout: string; stderr: string }) => error);

    const { success, numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    expect({ success, files: testResults.length }, outcome.stderr + JSON.stringify(testResults)).toEqual({
      success: true,
      files: recipes.length,
    });
    expect(numPassedTests).toBeGreaterThanOrEqual(recipes.length);
  });
});

function readBiome() {
  return JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
}
