import { join } from "node:path";
import * as z from "zod/mini";
import { lockFolder } from "../files/lock-folder.ts";
import { makePrivateFolder, readIfThere, replacePrivateFile } from "../files/private-files.ts";

/** What a world has again when it is started again, besides its state. */
export interface KeptWorld {
  /** Where it listened. */
  readonly ports: {
    readonly console: number;
    readonly platform: number;
    readonly http: number;
    readonly lambda: number;
  };
  /** What the platform's deliveries carry. */
  readonly webhookPassword: string;
}

/** A folder that keeps a world's state, taken by this process. */
export interface DataFolder {
  readonly path: string;
  /** Undefined when no world was kept here. */
  readonly kept: KeptWorld | undefined;
  /** The process that was killed while it worked here. */
  readonly killedPid: number | undefined;
  keep(world: KeptWorld): void;
  /** Gives the folder back to others. May be repeated. */
  close(): void;
}

/** Thrown for a `world.json` that this version cannot read. */
export class KeptWorldError extends Error {
  override readonly name = "KeptWorldError";
}

const version = 1;

/**
 * Opens a folder for a world and keeps other worlds out of it; it is made when absent. Its owner alone can read it.
 * @throws FolderTakenError while another world works in it
 * @throws KeptWorldError for a `world.json` that is broken or another version's
 */
export function openDataFolder(path: string): DataFolder {
  makePrivateFolder(path);
  const lock = lockFolder(path);
  const file = join(path, "world.json");
  try {
    const kept = readKept(file);
    return {
      path,
      kept,
      killedPid: lock.killedPid,
      keep(world) {
        replacePrivateFile(file, `${JSON.stringify({ version, ...world }, undefined, 2)}\n`);
      },
      close: lock.release,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

const port = z.int().check(z.minimum(0), z.maximum(65_535));
const keptSchema = z.object({
  ports: z.object({ console: port, platform: port, http: port, lambda: port }),
  webhookPassword: z.string().check(z.minLength(16)),
});

function readKept(file: string): KeptWorld | undefined {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  const found = z.object({ version: z.number() }).safeParse(parse(text));
  const advice = "Ports and the webhook's password are made anew if you remove it; messages and queues stay.";
  if (!found.success) throw new KeptWorldError(`${file} is broken. ${advice}`);
  if (found.data.version !== version) {
    const other = found.data.version;
    throw new KeptWorldError(`${file} is of version ${other}, and this program reads ${version}. ${advice}`);
  }
  const kept = keptSchema.safeParse(parse(text));
  if (!kept.success) {
    const wrong = kept.error.issues.map(({ path }) => path.join(".")).join(", ");
    throw new KeptWorldError(`${file} is broken (${wrong}). ${advice}`);
  }
  return kept.data;
}

/** Says nothing of what the text holds: it has a password. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
