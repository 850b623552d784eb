import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { makePrivateFile } from "./private-files.ts";

/** Thrown for a folder that another world works in. */
export class FolderTakenError extends Error {
  override readonly name = "FolderTakenError";
}

export interface FolderLock {
  /** The process that held the lock before and did not give it back, as it was killed. */
  readonly killedPid: number | undefined;
  /** Gives the folder back. May be repeated. */
  release(): void;
}

/**
 * Takes a folder for this process alone. The operating system holds the lock and gives it back however the process ends, so
 * that no process id that was given anew can be taken for the one that died.
 * Nothing but this may open the file `world.lock` while it is held: closing it anywhere in the process gives the lock back.
 * @throws FolderTakenError with the other's process id while another process, or another world of this one, holds it
 */
export function lockFolder(folder: string): FolderLock {
  const lockFile = join(folder, "world.lock");
  const pidFile = join(folder, "world.pid");
  makePrivateFile(pidFile);
  const database = openLocked(lockFile);
  if (database === undefined) {
    const pid = readPid(pidFile);
    const who = pid === undefined ? "another process" : `process ${pid}`;
    throw new FolderTakenError(
      `The folder ${folder} is in use by ${who}. End it first, or name another folder with --data.`,
    );
  }
  const killedPid = readPid(pidFile);
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    killedPid,
    release() {
      if (!database.isOpen) return;
      rmSync(pidFile, { force: true });
      database.close();
    },
  };
}

/** Gives undefined while somebody else has it. */
function openLocked(file: string): DatabaseSync | undefined {
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

function readPid(file: string): number | undefined {
  const pid = Number(readFileSync(file, "utf8"));
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}
