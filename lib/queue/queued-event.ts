import type { EventFamily } from "../events/identity.ts";

export interface QueuedEvent extends QueuedBody {
  readonly v: 1;
  /** Derived from the delivery's credentials; the body's `appId` is not trusted. */
  readonly appId: string;
  readonly family: EventFamily;
  readonly trigger: string;
  /** Equal for all deliveries of one occurrence. */
  readonly key: string;
  /** A delivery that arrives later than a retry can is another occurrence. */
  readonly canRecur?: true | undefined;
  readonly receivedAt: number;
}

export interface QueuedBody {
  readonly body: string;
  readonly base64: boolean;
  readonly gzip?: true | undefined;
}

/** Larger bodies are compressed. A message may have 1 MiB (1,048,576 bytes). */
const maxPlainBodyBytes = 900_000;

export function toQueuedBody(bytes: Buffer, text = bytes.toString("utf8")): QueuedBody {
  // Invalid UTF-8 becomes U+FFFD, so only a text that contains it must be checked.
  const isText = !text.includes("\uFFFD") || process.getBuiltinModule("node:buffer").isUtf8(bytes);
  const body = isText ? text : bytes.toString("base64");
  if (bytes.length < maxPlainBodyBytes / 6 || Buffer.byteLength(JSON.stringify(body)) < maxPlainBodyBytes) {
    return { body, base64: !isText };
  }
  const { gzipSync } = process.getBuiltinModule("node:zlib");
  return { body: gzipSync(bytes).toString("base64"), base64: true, gzip: true };
}
