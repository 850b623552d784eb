import * as z from "zod/mini";
import { parseJson } from "../base/json.ts";
import type { QueuedBody, QueuedEvent } from "./queued-event.ts";

export const queuedBodySchema = z.object({
  body: z.string(),
  base64: z.boolean(),
  gzip: z.optional(z.literal(true)),
});

const queuedEventSchema = z.object({
  v: z.literal(1),
  appId: z.string(),
  family: z.enum(["webhook", "legacy", "bot", "notification", "extension"]),
  trigger: z.string(),
  key: z.string(),
  canRecur: z.optional(z.literal(true)),
  receivedAt: z.number(),
  ...queuedBodySchema.shape,
});

/** @throws if it is not an event of version 1 */
export function readQueuedEvent(message: unknown): QueuedEvent {
  return queuedEventSchema.parse(message);
}

export function bytesOf({ body, base64, gzip }: QueuedBody): Buffer {
  const bytes = Buffer.from(body, base64 ? "base64" : "utf8");
  return gzip === true ? process.getBuiltinModule("node:zlib").gunzipSync(bytes) : bytes;
}

/** @returns undefined if it is not a delivery */
export function payloadOf(message: string): string | undefined {
  const { data } = queuedBodySchema.safeParse(parseJson(message));
  try {
    return data && bytesOf(data).toString("utf8");
  } catch {
    return undefined;
  }
}
