import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const pages = [...globSync("*.md", { cwd: root }), ...globSync("docs/**/*.md", { cwd: root })];
const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts;
const gate = [".ci/run", ".ci/nightly"].map((file) => readFileSync(join(root, file), "utf8")).join("\n");

// What CI does not run itself: each of these has a test that runs the same program, or needs an AWS account.
const runByTests = new Map([
  ["start", "test/local/start.test.ts"],
  ["platform", "test/platform/main.test.ts"],
  ["config", "test/unit/config/config-command.test.ts"],
  ["chat", "test/cli/process.test.ts"],
  ["new-app", "test/package/new-app.test.ts"],
  ["deploy", "test/cli/deploy.test.ts"],
  ["package", "test/functions/package.test.ts"],
]);

/** `npm run lint` finds what it would write. */
const writesOnly = "format";

it.each([...runByTests.values()])("%s runs a script of npm's that CI does not", (test) => {
  expect(existsSync(join(root, test))).toBe(true);
});

describe.each(pages)("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const prose = text.replaceAll(/```[\s\S]*?```/g, "");

  it("links only to files that exist", () => {
    const targets = [...prose.matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g)].map(([, target]) => String(target));

    const missing = targets
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => !existsSync(join(root, dirname(page), target)));
    expect(missing).toEqual([]);
  });

  it("names only npm scripts that exist, each run by CI or by a test", () => {
    const named = [...text.matchAll(/npm (?:run )?(start|test|[a-z][a-z:-]*)/g)]
      .filter(([command]) => /^npm (start|test|run )/.test(command))
      .map(([, script]) => String(script));
    const run = reachableFromGate();
    const isRun = (script: string) => run.has(script) || runByTests.has(script) || script === writesOnly;

    expect(
      named.filter((script) => !Object.hasOwn(scripts, script)),
      "exist",
    ).toEqual([]);
    expect(
      named.filter((script) => !isRun(script)),
      "are run by CI or by a test",
    ).toEqual([]);
  });
});

/** The npm scripts that CI runs, and those that they run. */
function reachableFromGate(): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (text: string) => {
    for (const [, run, plain] of text.matchAll(/npm (?:run ([a-z][a-z:-]*)|(start|test))/g)) {
      const script = run ?? plain ?? "";
      if (found.has(script)) continue;
      found.add(script);
      visit(scripts[script] ?? "");
    }
  };
  visit(gate);
  return found;
}
