import { open, rm } from "node:fs/promises";
import { wrongUse } from "./cli-error.ts";

const hints: Readonly<Record<string, string>> = {
  EEXIST: "Name a file that does not exist.",
  ENOENT: "Make its folder first.",
  ENOSPC: "Make room on the disk, or name a file on another one.",
};

/** Writes a file that only its owner can read; all of it, or no file. @param openFile default: Node's */
export async function writeNewFile(file: string, text: string, openFile = open): Promise<void> {
  const fail = ({ code = "", message }: NodeJS.ErrnoException) => {
    const hint = hints[code] ?? "Name another file.";
    throw wrongUse(`The file cannot be written: ${message}`, hint);
  };
  // An existing file may have other rights, or readers.
  const opened = await openFile(file, "wx", 0o600).catch(fail);
  try {
    await opened.writeFile(text);
    await opened.close();
  } catch (error) {
    await opened.close().catch(() => undefined);
    await rm(file, { force: true });
    fail(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Fails like `writeNewFile`, before the work whose result the file is for. Leaves no file. */
export async function tryNewFile(file: string): Promise<void> {
  await writeNewFile(file, "");
  await rm(file);
}
