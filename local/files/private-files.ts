import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** What tells that a folder is a world's own. */
const ours: readonly string[] = ["platform.sqlite", "world.json", "world.lock"];

/**
 * Makes a folder that its owner alone may look into. One that is there already is closed to others if it is empty or a
 * world's own; somebody else's folder stays as it is, and what is put into it protects itself.
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = readdirSync(folder);
  if (names.length === 0 || names.some((name) => ours.includes(name))) chmodSync(folder, 0o700);
}

/** Makes a file that its owner alone may read, empty when it was not there. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
}

/**
 * Makes the file of a SQLite database so, before it is opened: SQLite gives the files beside it the database's own mode.
 * Gives its path.
 */
export function makePrivateDatabase(folder: string, name: string): string {
  const file = join(folder, name);
  makePrivateFile(file);
  for (const beside of [`${file}-wal`, `${file}-shm`]) if (existsSync(beside)) chmodSync(beside, 0o600);
  return file;
}

/** Puts a text in the place of a file's, whole or not at all, also when this process is killed meanwhile. */
export function replacePrivateFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Gives a file's text; undefined where there is no such file. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
