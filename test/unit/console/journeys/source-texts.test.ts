import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SourceTexts } from "../../../../local/console/journeys/note-line.ts";

it("shows the line of the code that ran, not of an edit that is not loaded yet", () => {
  const folder = mkdtempSync(join(tmpdir(), "sources-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = "functions/own/triggers.ts";
  mkdirSync(join(folder, "functions/own"), { recursive: true });
  writeFileSync(join(folder, file), "throw broken;\n");
  const sources = new SourceTexts(folder);
  const line = () => sources.excerpt([`${file}:1:1`])?.lines[0]?.text;

  writeFileSync(join(folder, file), "mended();\n");
  sources.noteReload({ state: "broken", changedFiles: [file] });
  const before = line();
  sources.noteReload({ state: "live", changedFiles: [file] });

  expect([before, line()]).toEqual(["throw broken;", "mended();"]);
});
