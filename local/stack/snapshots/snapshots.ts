import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Cloud } from "../../cloud/start-cloud.ts";
import { replacePrivateFile } from "../../files/private-files.ts";
import type { Platform } from "../../platform/create-platform.ts";
import type { Snapshot } from "../../platform/store/database.ts";
import type { StackClock } from "../clock/stack-clock.ts";
import { exchangeContents } from "./exchange-contents.ts";
import { SnapshotError } from "./snapshot-error.ts";
import {
  readSnapshot,
  readSnapshotHead,
  type SnapshotBody,
  type SnapshotHead,
  writeSnapshot,
} from "./snapshot-file.ts";
import { openSnapshotFolder } from "./snapshot-shelf.ts";

export interface ListedSnapshot extends Omit<SnapshotHead, "platformShape" | "version"> {
  readonly bytes: number;
  readonly isCompatible: boolean;
}

export interface Snapshots {
  readonly areKept: boolean;
  list(): ListedSnapshot[];
  /**
   * Saves a snapshot. Waits at most two seconds for running work, which then counts as waiting.
   * @throws SnapshotError if the name is invalid, or taken
   */
  save(name: string, options?: { replaces?: boolean }): Promise<ListedSnapshot>;
  /** Restores a snapshot. @throws Error, and then nothing has changed */
  restore(name: string): Promise<void>;
  read(name: string): SnapshotBody;
  remove(name: string): void;
}

export interface SnapshotOptions {
  readonly platform: Platform;
  readonly cloud: Cloud;
  readonly clock: Pick<StackClock, "alone" | "now" | "replace" | "set" | "setting">;
  /** Default: a temporary folder. */
  readonly dataFolder?: string | undefined;
}

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;
/** Characters that make names look alike or empty. */
const unseen = /\p{Default_Ignorable_Code_Point}/u;
/** File systems allow 255 bytes, including extensions. */
const maxNameBytes = 200;
const settleMs = 2_000;

export function createSnapshots(options: SnapshotOptions): Snapshots {
  const { platform, cloud, clock, dataFolder } = options;
  const folder = dataFolder ?? cloud.buildFolder;
  const shelf = openSnapshotFolder(join(folder, "snapshots"));
  const { db } = platform.services;

  const list = () =>
    shelf
      .list()
      .map(({ name, bytes, start }): ListedSnapshot => {
        const { platformShape, version: _version, ...head } = readSnapshotHead(start) ?? unreadable;
        return { ...head, name, bytes, isCompatible: platformShape === db.shape() };
      })
      .toSorted((one, other) => other.savedAtMs - one.savedAtMs);
  const find = (name: string) => {
    checkName(name);
    if (!shelf.has(name)) throw new SnapshotError("missing", `There is no snapshot ${name}.`);
    return name;
  };

  const read = (name: string) => readSnapshot(shelf.read(find(name)), db.shape());

  return {
    areKept: dataFolder !== undefined,
    list,
    read,
    save: (name, { replaces = false } = {}) =>
      clock.alone(async () => {
        checkName(name);
        await cloud.settled({ timeoutMs: settleMs });
        if (!replaces && shelf.has(name)) {
          throw new SnapshotError("taken", `There is already a snapshot ${name}. Allow replacing it.`);
        }
        const body = {
          platform: platform.snapshot(),
          cloud: cloud.contents(),
          clock: clock.setting,
          httpUrl: cloud.httpUrl,
        };
        const head = { name, savedAtMs: Date.now(), worldMs: clock.now(), counts: countsOf(body) };
        const bytes = writeSnapshot({ ...head, platformShape: db.shape() }, body);
        shelf.write(name, bytes);
        return { ...head, bytes: bytes.byteLength, isCompatible: true };
      }),
    restore: (name) =>
      clock.replace(async () => {
        const { platform: kept, ...body } = read(name);
        const rows = withAddress(kept, body.httpUrl, cloud.httpUrl);
        await exchangeContents(options, () => {
          noteRestore(folder, name);
          putAll(options, body, rows, () => forgetRestore(folder));
        });
      }),
    remove: (name) => shelf.remove(find(name)),
  };
}

/** Puts the former contents back if it fails. */
function putAll(
  { platform, clock, cloud }: SnapshotOptions,
  body: Pick<SnapshotBody, "clock" | "cloud">,
  rows: SnapshotBody["platform"],
  end: () => void,
) {
  const former = { clock: clock.setting, cloud: cloud.contents() };
  const put = (contents: typeof body) => {
    clock.set(contents.clock);
    cloud.putBack(contents.cloud);
  };
  try {
    put(body);
    // Last: it undoes its own failure.
    platform.restore(rows);
  } catch (error) {
    orExit(() => put(former));
    end();
    throw error;
  }
  end();
}

/** A failure ends the process. The next start finishes the restore. */
function orExit(work: () => void) {
  try {
    work();
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
    throw error;
  }
}

const unreadable = {
  version: 0,
  platformShape: "",
  savedAtMs: 0,
  worldMs: 0,
  counts: { messages: 0, queued: 0, running: 0 },
};

function checkName(name: string) {
  const isShort = Buffer.byteLength(name) <= maxNameBytes;
  if (isShort && namePattern.test(name) && !unseen.test(name) && !/[. ]$/.test(name)) return;
  throw new SnapshotError(
    "badName",
    "A snapshot's name has up to 64 letters, digits, spaces, dots, hyphens and underscores (200 bytes), and begins with a letter or digit.",
  );
}

/** Updates the snapshot's webhooks to the functions' current address. */
function withAddress(snapshot: Snapshot, then: string, now: string): Snapshot {
  if (then === now) return snapshot;
  const moved = new Set(["webhooks", "documents", "deliveries"]);
  const tables = Object.entries(snapshot.tables).map(([table, rows]) => {
    if (!moved.has(table)) return [table, rows] as const;
    const move = (value: (typeof rows)[number][string]) =>
      typeof value === "string" ? value.replaceAll(`${then}/`, `${now}/`) : (value ?? null);
    return [
      table,
      rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([column, value]) => [column, move(value)])),
      ),
    ] as const;
  });
  return { tables: Object.fromEntries(tables) };
}

const noteSchema = z.object({ name: z.string() });

function noteOf(dataFolder: string) {
  return join(dataFolder, "restoring.json");
}

function noteRestore(dataFolder: string, name: string) {
  replacePrivateFile(noteOf(dataFolder), JSON.stringify({ name }));
}

function forgetRestore(dataFolder: string) {
  rmSync(noteOf(dataFolder), { force: true });
}

/** Removes a partial restore; call it before opening the folder's files. @returns the snapshot to restore */
export function findInterruptedRestore(dataFolder: string): string | undefined {
  if (!existsSync(noteOf(dataFolder))) return undefined;
  const { name } = noteSchema.parse(JSON.parse(readFileSync(noteOf(dataFolder), "utf8")));
  if (!openSnapshotFolder(join(dataFolder, "snapshots")).has(name)) {
    forgetRestore(dataFolder);
    throw new SnapshotError(
      "missing",
      `Restoring the snapshot ${name} was interrupted, and it is not there any more: the state in ${dataFolder} may be half of it.`,
    );
  }
  for (const part of ["platform.sqlite", "platform.sqlite-wal", "platform.sqlite-shm", "cloud"]) {
    rmSync(join(dataFolder, part), { recursive: true, force: true });
  }
  return name;
}

function countsOf({ platform, cloud }: SnapshotBody): ListedSnapshot["counts"] {
  return {
    messages: platform.tables.messages?.length ?? 0,
    queued: Object.values(cloud.queues).reduce((sum, messages) => sum + messages.length, 0),
    running: cloud.executions.filter(({ status }) => status === "RUNNING").length,
  };
}
