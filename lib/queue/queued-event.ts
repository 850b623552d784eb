import type { EventFamily } from "../events/identity.ts";

/** The queue's message: a delivery as received, and what the receiver found out about it. */
export interface QueuedEvent extends QueuedBody {
  readonly v: 1;
  /** The app whose credentials the delivery carried; the body's own `appId` is not trusted. */
  readonly appId: string;
  readonly family: EventFamily;
  readonly trigger: string;
  /** Equal for two deliveries of one fact. */
  readonly key: string;
  /** Present where the same key, received later than a retry can come, is another fact. */
  readonly canRecur?: true;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** A body as text, or in base64 where it is no UTF-8 or was compressed. */
export interface QueuedBody {
  readonly body: string;
  readonly base64: boolean;
  /** Present when the bytes behind the base64 are gzip: large bodies only. */
  readonly gzip?: true;
}

/** A queue message may have 1 MiB (1,048,576 bytes); beyond this share of it for the body, the body is compressed. */
const maxPlainBodyBytes = 900_000;

/**
 * Puts a body's bytes into a queue message, losing none, whatever they are.
 * @param text The bytes decoded as UTF-8, where that was done already.
 */
export function toQueuedBody(bytes: Buffer, text = bytes.toString("utf8")): QueuedBody {
  // Whatever is no UTF-8 becomes U+FFFD; only a text that has one must be asked whether it was sent so.
  const isText = !text.includes("\uFFFD") || process.getBuiltinModule("node:buffer").isUtf8(bytes);
  const body = isText ? text : bytes.toString("base64");
  if (bytes.length < maxPlainBodyBytes / 6 || Buffer.byteLength(JSON.stringify(body)) < maxPlainBodyBytes) {
    return { body, base64: !isText };
  }
  const { gzipSync } = process.getBuiltinModule("node:zlib");
  return { body: gzipSync(bytes).toString("base64"), base64: true, gzip: true };
}
