import { join } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../../lib/base/json.ts";
import { toFolderFault } from "../files/data-fault.ts";
import { lockFolder } from "../files/lock-folder.ts";
import { makePrivateFolder, readIfThere, replacePrivateFile } from "../files/private-files.ts";

const port = z.int().check(z.minimum(0), z.maximum(65_535));
const keptSchema = z.object({
  ports: z.object({ console: port, platform: port, http: port, lambda: port }),
  /** Ports of functions' URLs, by function key. */
  functionPorts: z.optional(z.record(z.string(), port)),
});

export type KeptStack = Readonly<z.infer<typeof keptSchema>>;

export class KeptStackError extends Error {
  override readonly name = "KeptStackError";
}

const version = 1;

export type DataFolder = ReturnType<typeof openDataFolder>;

/**
 * Opens or creates a data folder that only its owner can read.
 * @throws FolderTakenError if another local stack uses it
 * @throws DataFault if it cannot be read and written
 * @throws KeptStackError if its `world.json` is damaged or of another version
 */
export function openDataFolder(path: string) {
  const lock = makeAndLock(path);
  const file = join(path, "world.json");
  try {
    const kept = readKept(file);
    return {
      path,
      kept,
      killedPid: lock.killedPid,
      keep(localStack: KeptStack) {
        replacePrivateFile(file, `${JSON.stringify({ version, ...localStack }, undefined, 2)}\n`);
      },
      close: lock.release,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function makeAndLock(path: string) {
  try {
    makePrivateFolder(path);
    return lockFolder(path);
  } catch (error) {
    throw toFolderFault(error, path) ?? error;
  }
}

function readKept(file: string): KeptStack | undefined {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  const found = z.object({ version: z.number() }).safeParse(parseJson(text));
  const advice = "If you remove it, new ports are chosen; all else stays.";
  if (!found.success) throw new KeptStackError(`${file} is broken. ${advice}`);
  if (found.data.version !== version) {
    const other = found.data.version;
    throw new KeptStackError(`${file} is of version ${other}, and this program reads ${version}. ${advice}`);
  }
  const kept = keptSchema.safeParse(parseJson(text));
  if (!kept.success) {
    const wrong = kept.error.issues.map(({ path }) => path.join(".")).join(", ");
    throw new KeptStackError(`${file} is broken (${wrong}). ${advice}`);
  }
  return kept.data;
}
