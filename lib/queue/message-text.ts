import { OwnError } from "../base/own-error.ts";

// SQS answers InvalidMessageContents to characters other than #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to
// #xFFFD | #x10000 to #x10FFFF @see
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html

/** SQS limit for body and attributes together: 1 MiB. */
export const maxQueueBytes = 1_048_576;
/** Dead letters need about 5 kB at most (send-dead-letter.ts), mostly for names of steps. */
const attributeBytes = 16_384;

/** Leaves room for the attributes of a dead letter. */
export const maxMessageBytes = maxQueueBytes - attributeBytes;

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

/** Replaces characters that SQS rejects, in texts that people read. */
export function toMessageText(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
}
