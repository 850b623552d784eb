import * as z from "zod/mini";
import { isRecord, parseJson } from "../base/json.ts";
import { type QueuedBody, type QueuedEvent, zlib } from "./queued-event.ts";

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
  return gzip === true ? zlib().gunzipSync(bytes) : bytes;
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

export interface MessageFacts {
  readonly appId: string;
  readonly trigger: string;
  /** Equal for all deliveries of one occurrence. */
  readonly deliveryKey: string;
  readonly receivedAt: number;
}

/** Effects are remembered for 35 days: an older message could repeat them. */
export const maxAgeMs = 30 * 24 * 60 * 60_000;

/** @returns undefined for a message of another system */
export function factsOf(message: unknown): MessageFacts | undefined {
  if (!isRecord(message)) return undefined;
  const { appId, trigger, check, key, receivedAt } = message;
  if (typeof appId !== "string" || typeof key !== "string" || typeof receivedAt !== "number")
    return undefined;
  return { appId, trigger: String(trigger ?? check), deliveryKey: key, receivedAt };
}
