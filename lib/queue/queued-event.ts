import { OwnError } from "../base/errors.ts";
import type { EventFamily } from "../events/identity.ts";

/** SQS limit for body and attributes together: 1 MiB. */
export const maxQueueBytes = 1_048_576;
/** Leaves room for the attributes of a dead letter, about 5 kB at most (send-dead-letter.ts). */
export const maxMessageBytes = maxQueueBytes - 16_384;

/** SQS can never accept the message. */
export class MessageTooLargeError extends OwnError {
  override readonly name = "MessageTooLargeError";
}

/**
 * Returns JSON without the characters that SQS rejects: JSON leaves only U+FFFE and U+FFFF unescaped.
 * @throws MessageTooLargeError
 */
export function toMessageBody(message: object): string {
  let body = JSON.stringify(message);
  // Almost no message has one, and searching is cheaper.
  if (body.includes("\uFFFE")) body = body.replaceAll("\uFFFE", "\\ufffe");
  if (body.includes("\uFFFF")) body = body.replaceAll("\uFFFF", "\\uffff");
  // A UTF-16 unit takes at most three bytes.
  if (body.length * 3 <= maxMessageBytes) return body;
  const bytes = Buffer.byteLength(body);
  if (bytes <= maxMessageBytes) return body;
  throw new MessageTooLargeError(
    `Could not write a queue message: it has ${bytes} bytes, and a queue takes ${maxMessageBytes}.`,
  );
}

/**
 * Replaces characters that SQS rejects.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
export function toMessageText(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
}

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

/** Loaded outside the cold start. */
export const zlib = () => process.getBuiltinModule("node:zlib");

/** Larger bodies are compressed, to stay below `maxMessageBytes`. */
const maxPlainBodyBytes = 900_000;

export function toQueuedBody(bytes: Buffer, text = bytes.toString("utf8")): QueuedBody {
  // Invalid UTF-8 becomes U+FFFD, so only a text that contains it must be checked.
  const isText = !text.includes("\uFFFD") || process.getBuiltinModule("node:buffer").isUtf8(bytes);
  const body = isText ? text : bytes.toString("base64");
  if (bytes.length < maxPlainBodyBytes / 6 || Buffer.byteLength(JSON.stringify(body)) < maxPlainBodyBytes) {
    return { body, base64: !isText };
  }
  return { body: zlib().gzipSync(bytes).toString("base64"), base64: true, gzip: true };
}
