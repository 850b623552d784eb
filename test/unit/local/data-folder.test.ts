import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { KeptWorldError, openDataFolder } from "../../../local/stack/data-folder.ts";

it.each([
  ["{", "is broken. If you remove it"],
  ['{"version":2}', "is of version 2, and this program reads 1. If you remove it"],
  [
    '{"version":1,"ports":{}}',
    "is broken (ports.console, ports.platform, ports.http, ports.lambda, webhookPassword)",
  ],
])("refuses a world.json that says %s, and releases the folder", (world, reason) => {
  const folder = mkdtempSync(join(tmpdir(), "data-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "world.json"), world);

  expect(() => openDataFolder(folder)).toThrow(KeptWorldError);
  expect(() => openDataFolder(folder)).toThrow(reason);
});
