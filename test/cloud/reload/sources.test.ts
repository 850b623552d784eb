import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sourcesOf } from "../../../local/cloud/build/source-snapshot.ts";

it("reads the build steps of this repository, and not the compiler's output of an app", () => {
  const app = mkdtempSync(join(tmpdir(), "app-sources-"));
  onTestFinished(() => rmSync(app, { recursive: true }));
  const packaged = join(app, "node_modules/cometchat-functions");
  mkdirSync(packaged, { recursive: true });
  writeFileSync(join(packaged, "package.json"), "{}");

  expect(sourcesOf(join(import.meta.dirname, "../../..")).folders).toContain("build");
  expect(sourcesOf(app).folders).not.toContain("build");
});
