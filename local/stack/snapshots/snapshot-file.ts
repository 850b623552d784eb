import { deserialize, serialize } from "node:v8";
import * as z from "zod/mini";
import { type CloudContents, readContents } from "../../cloud/cloud-contents.ts";
import type { Snapshot } from "../../platform/store/database.ts";
import { SnapshotError } from "./snapshot-error.ts";

/** Grows whenever something of a snapshot gets another meaning. */
const version = 1;

/** What is told of a snapshot without reading all of it. */
export interface SnapshotHead {
  readonly version: number;
  readonly name: string;
  /** When it was made, by the machine's clock; milliseconds since 1970. */
  readonly savedAtMs: number;
  /** The world's time when it was made; milliseconds since 1970. */
  readonly worldMs: number;
  /** How many messages, queued events and executions that run it has. */
  readonly counts: { readonly messages: number; readonly queued: number; readonly running: number };
  /** Which tables and columns the platform had. */
  readonly platformShape: string;
}

/** A whole world at one moment. */
export interface SnapshotBody {
  readonly platform: Snapshot;
  readonly cloud: CloudContents;
  readonly clock: { readonly offsetMs: number; readonly frozenAtMs?: number | undefined };
  /** Where the platform delivered to: the functions' address of then. */
  readonly httpUrl: string;
}

/** Writes a snapshot: a line of JSON that tells of it, then all of it. */
export function writeSnapshot(head: Omit<SnapshotHead, "version">, body: SnapshotBody): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ version, ...head })}\n`), serialize(body)]);
}

/** So many bytes hold a snapshot's first line. */
export const headBytes = 65_536;

/** Reads what a snapshot tells of itself; undefined for what is none. @param start its first bytes, `headBytes` at most */
export function readSnapshotHead(start: Uint8Array): SnapshotHead | undefined {
  const buffer = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  const end = buffer.indexOf("\n");
  if (end < 0) return undefined;
  try {
    return headSchema.parse(JSON.parse(buffer.subarray(0, end).toString()));
  } catch {
    return undefined;
  }
}

/** Reads all of a snapshot. @throws SnapshotError for one of another version, or one that is damaged */
export function readSnapshot(bytes: Uint8Array, platformShape: string): SnapshotBody {
  const head = readSnapshotHead(bytes.subarray(0, headBytes));
  if (head === undefined)
    throw new SnapshotError("unreadable", "The snapshot cannot be read: it has no head.");
  if (head.version !== version || head.platformShape !== platformShape) {
    throw new SnapshotError(
      "outdated",
      `The snapshot ${head.name} was made by another version of the local world, whose stores had other tables. Remove it, and make it anew.`,
    );
  }
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("\n") + 1;
  try {
    const { platform, cloud, clock, httpUrl } = bodySchema.parse(deserialize(bytes.subarray(start)));
    return { platform, cloud: readContents(cloud), clock, httpUrl };
  } catch (cause) {
    throw new SnapshotError(
      "unreadable",
      `The snapshot ${head.name} is damaged. Remove it, and make it anew.`,
      {
        cause,
      },
    );
  }
}

const headSchema = z.object({
  version: z.number(),
  name: z.string(),
  savedAtMs: z.number(),
  worldMs: z.number(),
  counts: z.object({ messages: z.number(), queued: z.number(), running: z.number() }),
  platformShape: z.string(),
});

const cellSchema = z.union([z.null(), z.number(), z.bigint(), z.string(), z.instanceof(Uint8Array)]);
const bodySchema = z.object({
  platform: z.object({ tables: z.record(z.string(), z.array(z.record(z.string(), cellSchema))) }),
  cloud: z.unknown(),
  clock: z.object({ offsetMs: z.number(), frozenAtMs: z.optional(z.number()) }),
  httpUrl: z.string(),
});
