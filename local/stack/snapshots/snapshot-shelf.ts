import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { replacePrivateFile } from "../../files/private-files.ts";
import { headBytes } from "./snapshot-file.ts";

const ending = ".snapshot";

export function openSnapshotFolder(folder: string) {
  const fileOf = (name: string) => join(folder, `${name}${ending}`);
  const has = (name: string) => statSync(fileOf(name), { throwIfNoEntry: false }) !== undefined;
  return {
    list() {
      if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
      return readdirSync(folder)
        .filter((file) => file.endsWith(ending))
        .map((file) => {
          const name = file.slice(0, -ending.length);
          return { name, bytes: statSync(fileOf(name)).size, start: readStart(fileOf(name)) };
        });
    },
    has,
    /** @throws Error if this name does not exist */
    read: (name: string) => readFileSync(fileOf(name)),
    /** Writes atomically, even if the process dies. */
    write(name: string, bytes: Uint8Array) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      replacePrivateFile(fileOf(name), bytes);
    },
    remove: (name: string) => rmSync(fileOf(name), { force: true }),
  };
}

function readStart(path: string): Uint8Array {
  const start = new Uint8Array(headBytes);
  const file = openSync(path, "r");
  try {
    return start.subarray(0, readSync(file, start, 0, headBytes, 0));
  } finally {
    closeSync(file);
  }
}
