import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { makePrivateFile, readIfThere, replacePrivateFile } from "./private-files.ts";

/** Another local stack uses the folder. */
export class FolderTakenError extends Error {
  override readonly name = "FolderTakenError";
}

/**
 * The system releases the lock however the process ends. No other code may open `world.lock`: closing it
 * anywhere in the process releases it.
 * @throws FolderTakenError with the owner's process id, also for another stack of this process
 */
export function lockFolder(folder: string) {
  const lockFile = join(folder, "world.lock");
  const pidFile = join(folder, "world.pid");
  const database = openLocked(lockFile);
  if (database === undefined) {
    const pid = readPid(pidFile);
    const who = pid === undefined ? "another process" : `process ${pid}`;
    throw new FolderTakenError(
      `The folder ${folder} is in use by ${who}. End it first, or name another folder with --data.`,
    );
  }
  const killedPid = readPid(pidFile);
  replacePrivateFile(pidFile, `${process.pid}\n`);
  return {
    killedPid,
    /** Repeatable. */
    release() {
      if (!database.isOpen) return;
      rmSync(pidFile, { force: true });
      database.close();
    },
  };
}

function openLocked(file: string) {
  if (!existsSync(file)) makePrivateFile(file);
  const database = new DatabaseSync(file);
  try {
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && "errcode" in error && error.errcode === sqliteBusy) return undefined;
    throw error;
  }
}

/** @see https://sqlite.org/rescode.html#busy */
const sqliteBusy = 5;

function readPid(file: string) {
  const pid = Number(readIfThere(file));
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}
