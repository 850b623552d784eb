import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Files that mark a folder as a local stack's. */
const ours: readonly string[] = ["platform.sqlite", "world.json", "world.lock"];

/** Restricts an empty folder or a local stack's; others stay, as files put into them are private. */
export function makePrivateFolder(folder: string): void {
  makeFolder(folder);
  const names = readdirSync(folder);
  if (names.length === 0 || names.some((name) => ours.includes(name))) chmodSync(folder, 0o700);
}

/** Node's recursive call never returns in a folder such as /proc, which reports ENOENT for new folders. */
function makeFolder(folder: string) {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}

/** A new one is empty. @throws Error with the code ELOOP for a symbolic link, perhaps another user's */
export function makePrivateFile(file: string): void {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const opened = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    fchmodSync(opened, 0o600);
  } finally {
    closeSync(opened);
  }
}

/** Before it is opened: SQLite gives the files next to it the same mode. */
export function makePrivateDatabase(folder: string, name: string): string {
  const file = join(folder, name);
  makePrivateFile(file);
  for (const beside of [`${file}-wal`, `${file}-shm`])
    if (lstatSync(beside, { throwIfNoEntry: false })) makePrivateFile(beside);
  return file;
}

/** Atomic. Follows no symbolic link, and writes to no other user's file. */
export function replacePrivateFile(file: string, content: string | Uint8Array): void {
  const beside = `${file}.new`;
  rmSync(beside, { force: true });
  writeFileSync(beside, content, { flag: "wx", mode: 0o600, flush: true });
  renameSync(beside, file);
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
