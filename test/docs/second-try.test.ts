import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

// What CONTRIBUTING.md says of a second try, with the project's own configuration and tests that fail at their first.
const root = join(import.meta.dirname, "../..");
const tests = `
import { unhurried } from ${JSON.stringify(join(root, "test/chaos/seeds.ts"))};

const times = new Map();
const failFirst = (name, why) => {
  times.set(name, (times.get(name) ?? 0) + 1);
  if (times.get(name) === 1) throw new Error(why);
  expect(times.get(name)).toBe(2);
};
it("takes a speed for granted", () => failFirst("speed", "too slow"));
it("states a property", () => failFirst("property", "Property failed after 1 tests"));
it("is a storm", unhurried, () => failFirst("storm", "lost"));
it("is wrong", () => expect(1).toBe(2));
it("is right", () => expect(1).toBe(1));
`;
const config = `
import given from ${JSON.stringify(join(root, "vitest.config.ts"))};

export default { test: { ...given.test, globals: true, include: ["*.test.mjs"], setupFiles: [] } };
`;

it.each([
  { env: {}, failed: ["is a storm", "is wrong", "states a property"], told: ["takes a speed for granted"] },
  {
    env: { SECOND_TRY: "no" },
    failed: ["is a storm", "is wrong", "states a property", "takes a speed for granted"],
    told: [],
  },
])("a second try is given to tests alone, and told ($env)", async ({ env, failed, told }) => {
  const folder = await mkdtemp(join(tmpdir(), "second-try-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "some.test.mjs"), tests);
  await writeFile(join(folder, "vitest.config.mts"), config);
  const vitest = join(root, "node_modules/.bin/vitest");

  const { stdout, stderr } = await promisify(execFile)(vitest, ["run", "--root", folder], {
    cwd: folder,
    env: { ...process.env, VITEST: undefined, SECOND_TRY: undefined, ...env },
  }).catch((error: { stdout: string; stderr: string }) => error);

  const failures = [...stderr.matchAll(/^ FAIL {2}some\.test\.mjs > ([a-z ]+[a-z])/gm)].map(
    ([, name]) => name,
  );
  expect(failures.toSorted()).toEqual(failed);
  const [, last = ""] = stdout.split("Passed at the second try only (see CONTRIBUTING.md):\n");
  expect([...last.matchAll(/> (.+)$/gm)].map(([, name]) => name)).toEqual(told);
});
