import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SourceTexts } from "../../../../local/console/journeys/note-line.ts";

/** Two files of the same functions folder that throw. */
function createSources() {
  const folder = mkdtempSync(join(tmpdir(), "sources-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [one, other] = ["functions/own/triggers.ts", "functions/own/requests.ts"] as const;
  mkdirSync(join(folder, "functions/own"), { recursive: true });
  const write = (text: string) => {
    for (const file of [one, other]) writeFileSync(join(folder, file), `${text}\n`);
  };
  write("throw broken;");
  const sources = new SourceTexts(folder);
  const lines = () => [one, other].map((file) => sources.excerpt([`${file}:1:1`])?.lines[0]?.text);
  return { sources, write, one, other, lines };
}

it("shows the line of the code that ran, not of an unloaded edit", () => {
  const { sources, write, one, lines } = createSources();
  write("mended();");

  sources.noteReload({ state: "broken", revision: 1, changedFiles: [one] });
  const before = lines();
  sources.noteReload({ state: "live", revision: 2, changedFiles: [one] });

  expect([before, lines()]).toEqual([
    ["throw broken;", "throw broken;"],
    ["mended();", "throw broken;"],
  ]);
});

it("shows the loaded part of an edit, and all of it once the rest is corrected", () => {
  const { sources, write, one, other, lines } = createSources();
  write("half();");
  sources.noteReload({ state: "broken", revision: 2, changedFiles: [one, other] });
  const half = lines();
  write("mended();");
  sources.noteReload({ state: "live", revision: 3, changedFiles: [other] });

  expect([half, lines()]).toEqual([
    ["half();", "half();"],
    ["mended();", "mended();"],
  ]);
});
