import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadConfigFile } from "../../../scripts/load-config-file.ts";

function write(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "config-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe("loadConfigFile", () => {
  it.each(["replies.yml", "moderation-reasons.yml"])("takes config/%s as it is", async (name) => {
    const source = await loadConfigFile(join(import.meta.dirname, "../../../config", name));

    expect(source).toMatch(/^export default \{/);
  });

  it("names the file, the field and the rule of what does not fit", async () => {
    const file = write(
      "replies.yml",
      `rules:
  - receiver: support
    when: { outsideOfficeHours: { timeZone: Mars/Base, days: [mon], from: "9:00", to: "17:00" } }
    text: hi`,
    );

    await expect(loadConfigFile(file)).rejects.toThrow(
      'config/replies.yml does not fit:\n  rules.0.when.outsideOfficeHours.timeZone: must be a time zone like "Europe/Berlin"',
    );
  });

  it("refuses two reasons of one id", async () => {
    const file = write("moderation-reasons.yml", "reasons: [{id: a, name: A}, {id: a, name: B}]");

    await expect(loadConfigFile(file)).rejects.toThrow("two reasons have the same id");
  });

  it("refuses a file that nobody declared", async () => {
    await expect(loadConfigFile(write("other.yml", "a: 1"))).rejects.toThrow(
      "config/other.yml has no schema",
    );
  });
});
