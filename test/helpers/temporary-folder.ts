import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Files, writeFiles } from "./write-files.ts";

/** Makes a folder with these files, by path, until the test ends. */
export function temporaryFolder(files: Files = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, files);
  return folder;
}
