import type { DatabaseSync } from "node:sqlite";

export class DataFault extends Error {
  override readonly name = "DataFault";
}

export function withDataFaults<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toDataFault(error, path) ?? error;
  }
}

/**
 * Undefined for an error of another kind.
 * @param path if the error does not name its file
 * @see https://www.sqlite.org/rescode.html
 */
export function toDataFault(error: unknown, path: string): DataFault | undefined {
  if (error instanceof DataFault) return error;
  const { code, errcode, path: named } = Object(error);
  const file = typeof named === "string" ? named : path;
  // Extended codes contain the primary one in their last byte.
  const kind = code === "ERR_SQLITE_ERROR" && typeof errcode === "number" ? errcode & 0xff : code;
  const say = sentences.find(([kinds]) => kinds.includes(kind))?.[1];
  return say && new DataFault(say(file), { cause: error });
}

/** Describes why a folder cannot be opened. /proc reports ENOENT for what cannot be made there. */
export function toFolderFault(error: unknown, folder: string): DataFault | undefined {
  if (Object(error).code !== "ENOENT") return toDataFault(error, folder);
  return new DataFault(describeUnusable(folder), { cause: error });
}

function describeUnusable(file: string) {
  return `${file} cannot be read and written by this user. Change its rights, or name another folder: --data <folder>.`;
}

/**
 * SQLite alone finds damage when it reads the place.
 * @throws Error for which `toDataFault` says that the file is damaged
 */
export function checkDatabase(database: DatabaseSync): void {
  const found = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {}).join();
  if (found !== "ok") throw Object.assign(new Error(found), { code: "ERR_SQLITE_ERROR", errcode: 11 });
}

type Sentence = readonly [kinds: readonly unknown[], say: (file: string) => string];

const sentences: readonly Sentence[] = [
  [
    [13, "ENOSPC", "EDQUOT"],
    (file) =>
      `The disk is full: ${file} cannot be written. What was answered is kept. Free some space, and start again.`,
  ],
  [
    [11, 26],
    (file) =>
      `${file} is damaged. Move the data folder away to begin again, or restore a snapshot: its files belong together.`,
  ],
  [[3, 8, 14, "EACCES", "EPERM", "EROFS", "EISDIR", "ENOTDIR", "ELOOP"], describeUnusable],
  [
    [10, "EIO"],
    (file) =>
      `${file} cannot be read or written: the disk is full or reports an error. Free some space, or copy the folder to another disk.`,
  ],
];
