import { mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { buildService } from "../../../local/cloud/build/build-service.ts";
import { makeSmallService } from "./small-service.ts";

const service = makeSmallService();
// A package folder for this test only.
const packages = readdirSync(service.at("node_modules")).filter((name) => name !== ".cache");
const shared = join(import.meta.dirname, "../../../node_modules");
unlinkSync(service.at("node_modules"));
mkdirSync(service.at("node_modules"));
for (const name of packages) symlinkSync(join(shared, name), service.at(`node_modules/${name}`));
afterAll(() => service.remove());

/** Builds, and returns whether serverless ran, with its result. */
async function build(environment: Readonly<Record<string, string>>) {
  const kept = () => readKept("resolved").length + readKept("bundles").length;
  const before = kept();
  const built = await buildService({ serviceFolder: service.folder, environment, log() {} });
  const bundle = readFileSync(join(built.taskRoot, "functions/word.mjs"), "utf8");
  const map = readFileSync(join(built.taskRoot, "functions/word.mjs.map"), "utf8");
  const greeting = built.definition.provider.environment?.GREETING;
  await built.close();
  return { bundle, map, greeting, added: kept() - before };
}

function readKept(kind: string): string[] {
  try {
    return readdirSync(service.at(`node_modules/.cache/local-stack/${kind}`));
  } catch {
    return [];
  }
}

it("reuses a build for a start from the same files and variables, except addresses", async () => {
  const first = await build({ SMALL_GREETING: "http://127.0.0.1:4321/a" });
  const second = await build({ SMALL_GREETING: "http://127.0.0.1:4321/a" });
  expect(first).toMatchObject({ greeting: "http://127.0.0.1:4321/a", added: 2 });
  expect(second).toEqual({ ...first, added: 0 });

  // The addresses of a local stack differ at each start.
  const elsewhere = await build({ SMALL_GREETING: "http://127.0.0.1:4322/a" });
  expect(elsewhere).toMatchObject({ greeting: "http://127.0.0.1:4322/a", added: 0 });

  service.say("other words");
  const edited = await build({ SMALL_GREETING: "http://127.0.0.1:4321/a" });
  expect(edited.bundle).toContain("other words");
  expect(edited.added).toBe(1);

  expect(await build({ SMALL_GREETING: "bye" })).toMatchObject({ greeting: "bye", added: 2 });
});
