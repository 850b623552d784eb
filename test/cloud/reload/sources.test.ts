import { mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { sourcesOf } from "../../../local/cloud/build/source-snapshot.ts";
import { SourceWatch } from "../../../local/cloud/reload/watch-sources.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

it("contains the build steps of this repository, but not the compiler's output of an app", () => {
  const app = temporaryFolder({ "node_modules/cometchat-functions/package.json": "{}" });

  expect(sourcesOf(join(import.meta.dirname, "../../..")).folders).toContain("build");
  expect(sourcesOf(app).folders).not.toContain("build");
});

it("reports a change made with a removal, also if another follows immediately", async () => {
  const folder = temporaryFolder({ "lib/kept.ts": "first", "lib/gone.ts": "first" });
  const at = (name: string) => join(folder, "lib", name);
  const watch = new SourceWatch({ folder, folders: ["lib"], files: [] });
  onTestFinished(() => watch.close());
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

it("reports a folder that becomes empty, and its removal, as the check of config/ refuses it", async () => {
  const folder = temporaryFolder({ "config/apps/other/replies.yml": "first" });
  const at = (path: string) => join(folder, "config/apps", path);
  const watch = new SourceWatch({ folder, folders: ["config"], files: [] });
  onTestFinished(() => watch.close());
  const reports: (readonly string[])[] = [];
  watch.subscribe((files) => reports.push(files));
  const waitFor = (files: readonly string[]) => vi.waitFor(() => expect(reports.at(-1)).toEqual(files));

  rmSync(at("other/replies.yml"));
  await waitFor(["config/apps/other/", "config/apps/other/replies.yml"]);
  rmdirSync(at("other"));
  await waitFor(["config/apps/", "config/apps/other/"]);
  mkdirSync(at("new/app"), { recursive: true });
  await waitFor(["config/apps/", "config/apps/new/app/"]);

  expect(reports).toHaveLength(3);
});
