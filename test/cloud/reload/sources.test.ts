import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { sourcesOf } from "../../../local/cloud/build/source-snapshot.ts";
import { SourceWatch } from "../../../local/cloud/reload/watch-sources.ts";

it("reads the build steps of this repository, and not the compiler's output of an app", () => {
  const app = mkdtempSync(join(tmpdir(), "app-sources-"));
  onTestFinished(() => rmSync(app, { recursive: true }));
  const packaged = join(app, "node_modules/cometchat-functions");
  mkdirSync(packaged, { recursive: true });
  writeFileSync(join(packaged, "package.json"), "{}");

  expect(sourcesOf(join(import.meta.dirname, "../../..")).folders).toContain("build");
  expect(sourcesOf(app).folders).not.toContain("build");
});

it("reports a change made with a removal, also where another follows at once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "watched-sources-"));
  const at = (name: string) => join(folder, "lib", name);
  mkdirSync(join(folder, "lib"));
  for (const name of ["kept.ts", "gone.ts"]) writeFileSync(at(name), "first");
  const watch = new SourceWatch({ folder, folders: ["lib"], files: [] });
  onTestFinished(() => {
    watch.close();
    rmSync(folder, { recursive: true });
  });
  const reported = new Set<string>();
  watch.subscribe((files) => {
    for (const file of files) reported.add(file);
  });

  rmSync(at("gone.ts"));
  writeFileSync(at("kept.ts"), "second");
  await vi.waitFor(() => expect(watch.snapshot.digests.has("lib/gone.ts")).toBe(false), { interval: 1 });
  writeFileSync(at("new.ts"), "third");

  await vi.waitFor(() => expect(reported).toContain("lib/new.ts"));
  expect([...reported].toSorted()).toEqual(["lib/gone.ts", "lib/kept.ts", "lib/new.ts"]);
});
