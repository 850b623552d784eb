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

export interface SnapshotShelf {
  /** Returns names with the first bytes and the size of each. */
  list(): { readonly name: string; readonly bytes: number; readonly start: Uint8Array }[];
  has(name: string): boolean;
  /** @throws Error if this name does not exist */
  read(name: string): Uint8Array;
  /** Atomic, even if the process dies meanwhile. */
  write(name: string, bytes: Uint8Array): void;
  remove(name: string): void;
}

const ending = ".snapshot";

export function openSnapshotFolder(folder: string): SnapshotShelf {
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
    read: (name) => readFileSync(fileOf(name)),
    write(name, bytes) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      replacePrivateFile(fileOf(name), bytes);
    },
    remove: (name) => rmSync(fileOf(name), { force: true }),
  };
}

export function createSnapshotMemory(): SnapshotShelf {
  const kept = new Map<string, Uint8Array>();
  return {
    list: () =>
      [...kept].map(([name, bytes]) => ({
        name,
        bytes: bytes.byteLength,
        start: bytes.subarray(0, headBytes),
      })),
    has: (name) => kept.has(name),
    read(name) {
      const bytes = kept.get(name);
      if (bytes === undefined) throw new Error(`There is no snapshot ${name} in memory.`);
      return bytes;
    },
    write: (name, bytes) => void kept.set(name, bytes),
    remove: (name) => void kept.delete(name),
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
