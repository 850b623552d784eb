import { deserialize, serialize } from "node:v8";
import * as z from "zod/mini";
import { type CloudContents, readContents } from "../../cloud/cloud-contents.ts";
import { functionClockSchema } from "../../cloud/lambda/runtime-api.ts";
import type { Snapshot } from "../../platform/store/database.ts";
import type { ClockSetting } from "../clock/stack-clock.ts";
import { SnapshotError } from "./snapshot-error.ts";

/** Increase with every change of the format. */
const version = 1;

const headSchema = z.object({
  version: z.number(),
  name: z.string(),
  savedAtMs: z.number(),
  worldMs: z.number(),
  counts: z.object({ messages: z.number(), queued: z.number(), running: z.number() }),
  platformShape: z.string(),
});

export type SnapshotHead = Readonly<z.infer<typeof headSchema>>;

export interface SnapshotBody {
  readonly platform: Snapshot;
  readonly cloud: CloudContents;
  readonly clock: ClockSetting;
  /** Address that the platform delivered to. */
  readonly httpUrl: string;
}

/** Writes the summary as a line of JSON, then the state. */
export function writeSnapshot(head: Omit<SnapshotHead, "version">, body: SnapshotBody): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ version, ...head })}\n`), serialize(body)]);
}

export const headBytes = 65_536;

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

/** @throws SnapshotError if it is of another version or damaged */
export function readSnapshot(bytes: Uint8Array, platformShape: string): SnapshotBody {
  const head = readSnapshotHead(bytes.subarray(0, headBytes));
  if (head === undefined)
    throw new SnapshotError("unreadable", "The snapshot cannot be read: it has no head.");
  if (head.version !== version || head.platformShape !== platformShape) {
    throw new SnapshotError(
      "outdated",
      `The snapshot ${head.name} was saved by another version of the local stack, with other tables. Remove it, and save it again.`,
    );
  }
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("\n") + 1;
  try {
    const { platform, cloud, clock, httpUrl } = bodySchema.parse(deserialize(bytes.subarray(start)));
    return { platform, cloud: readContents(cloud), clock, httpUrl };
  } catch (cause) {
    throw new SnapshotError(
      "unreadable",
      `The snapshot ${head.name} is damaged. Remove it, and save it again.`,
      {
        cause,
      },
    );
  }
}

const cellSchema = z.union([z.null(), z.number(), z.bigint(), z.string(), z.instanceof(Uint8Array)]);
const bodySchema = z.object({
  platform: z.object({ tables: z.record(z.string(), z.array(z.record(z.string(), cellSchema))) }),
  cloud: z.unknown(),
  clock: functionClockSchema,
  httpUrl: z.string(),
});
