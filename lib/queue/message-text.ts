// SQS takes these characters only and answers InvalidMessageContents to any other:
// #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF
// @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html

/** What a queue takes, body and attributes together: 1 MiB. */
export const maxQueueBytes = 1_048_576;
/** Room for the attributes of a message that is buried or replayed (bury.ts): at most about 5 kB, mostly names of steps. */
const attributeBytes = 16_384;

/** What a message's body may have, so that it can be buried and brought back, too: 1 MiB less 16 KiB. */
export const maxMessageBytes = maxQueueBytes - attributeBytes;

/** Means that a message can never be sent, however often it is tried. */
export class MessageTooLargeError extends Error {
  override readonly name = "MessageTooLargeError";
}

/**
 * Writes a message's body as JSON; of what SQS refuses, JSON leaves only U+FFFE and U+FFFF unescaped.
 * @throws MessageTooLargeError when no queue takes a body of that size
 */
export function toMessageBody(message: object): string {
  let body = JSON.stringify(message);
  // Nearly no message has one, and looking for it costs a sixth of replacing it.
  if (body.includes("\uFFFE")) body = body.replaceAll("\uFFFE", "\\ufffe");
  if (body.includes("\uFFFF")) body = body.replaceAll("\uFFFF", "\\uffff");
  // A UTF-16 unit takes three bytes at most.
  if (body.length * 3 <= maxMessageBytes) return body;
  const bytes = Buffer.byteLength(body);
  if (bytes <= maxMessageBytes) return body;
  throw new MessageTooLargeError(
    `Could not write a queue message: it has ${bytes} bytes, and a queue takes ${maxMessageBytes}.`,
  );
}

/** Puts U+FFFD in the place of every character that SQS refuses, for texts that people read. */
export function toMessageText(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
}
