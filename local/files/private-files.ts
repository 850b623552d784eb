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

/** Files that mark a folder as a local stack's. */
const ours: readonly string[] = ["platform.sqlite", "world.json", "world.lock"];

/**
 * Makes a folder that only its owner can access. Restricts an existing folder if it is empty or a local
 * stack's; other folders stay unchanged, and the files put into them are private themselves.
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = readdirSync(folder);
  if (names.length === 0 || names.some((name) => ours.includes(name))) chmodSync(folder, 0o700);
}

export function makePrivateFile(file: string): void {
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
}

/**
 * Makes a private SQLite database file before it is opened: SQLite gives the files next to it the same mode.
 * Returns its path.
 */
export function makePrivateDatabase(folder: string, name: string): string {
  const file = join(folder, name);
  makePrivateFile(file);
  for (const beside of [`${file}-wal`, `${file}-shm`]) if (existsSync(beside)) chmodSync(beside, 0o600);
  return file;
}

/** Atomic, even if this process is killed meanwhile. */
export function replacePrivateFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
