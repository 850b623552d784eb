import process from "node:process";
import { expect, it } from "vitest";
import { KeptStackError, openDataFolder } from "../../../local/stack/data-folder.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

it.each([
  ["{", "is broken. If you remove it"],
  ['{"version":2}', "is of version 2, and this program reads 1. If you remove it"],
  ['{"version":1,"ports":{}}', "is broken (ports.console, ports.platform, ports.http, ports.lambda)"],
])("refuses a world.json with %s, and releases the folder", (world, reason) => {
  const folder = temporaryFolder({ "world.json": world });

  expect(() => openDataFolder(folder)).toThrow(KeptStackError);
  expect(() => openDataFolder(folder)).toThrow(reason);
});

it.skipIf(process.platform !== "linux").each(["/proc/x", "/proc/x/y", "/proc"])(
  "refuses %s immediately, if nothing can be created there",
  (folder) => {
    expect(() => openDataFolder(folder)).toThrow(
      `${folder} cannot be read and written by this user. Change its rights, or name another folder: --data <folder>.`,
    );
  },
);
